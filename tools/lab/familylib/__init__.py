# SPDX-License-Identifier: GPL-2.0
"""Families: networks and traffic drawn from stated ranges, and what is judged of them.

    draw      what a seed chooses: rates, round trips, packets, cards
    catalogue the families: each makes a scenario of a draw, and judges its results
    variants  algorithms and controls, as lines of a scenario
    store     carries runs out, keeps what was measured
    show      tables, CSV and the page
"""
