/* SPDX-License-Identifier: GPL-2.0 */
/* Courses as curves of a diagram, in the units of the paper's figures. */
#ifndef _NC_PLOTS_H
#define _NC_PLOTS_H

#include "log.h"
#include "svg.h"

int nc_plot_backlog(struct nc_diagram *d, const struct nc_course *course,
		    const char *label);
int nc_plot_window(struct nc_diagram *d, const struct nc_course *course,
		   const char *label);
int nc_plot_limit(struct nc_diagram *d, const struct nc_course *course,
		  const char *label);
int nc_plot_rate(struct nc_diagram *d, const struct nc_course *course,
		 const char *label, double average_ns);
int nc_plot_pair(struct nc_diagram *d, const struct nc_course *a,
		 const struct nc_course *b, const char *label);

#endif /* _NC_PLOTS_H */
