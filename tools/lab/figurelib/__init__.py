# SPDX-License-Identifier: GPL-2.0
"""What tools/lab/figures is made of: the MSwift paper's evaluation on the lab.

    catalogue   which figure takes which runs
    store       carries runs out, keeps them, foresees how long the rest takes
    paper       what the paper says: bars that were read off, statements of its text
    show        tables, CSV, pictures and the page
"""
