# SPDX-License-Identifier: GPL-2.0
"""The `lab` command: see lab(1)."""

import argparse
import functools
import re
import sys
import threading
from pathlib import Path

import ending

from . import algorithms, expect, flows, graph, plan, runner, sizes, sweep, topology, units
from . import scenario as scenarios
from .errors import EXIT_INTERRUPTED, EXIT_OK, EXIT_RUN, LabError
from .results import show_sizes

FLOWS_SHOWN = 20
LINKS_SHOWN = 12
SEEDS_MOST = 10000


def _sets(words):
    found = {}
    for text in words or ():
        name, equals, value = text.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise LabError(f"--set '{text}' is not NAME=VALUE; allowed: like"
                           " --set cc=cubic")
        if name in found:
            raise LabError(f"--set {name}= is given twice; allowed: once, of several values"
                           f" --set {name}={found[name]},{value}")
        found[name] = value
    return found


def _seeds(args):
    """The seeds to run: None is the scenario's own."""
    if args.seeds is None:
        return [args.seed]
    if args.seed is not None:
        raise LabError("--seed and --seeds are both given; allowed: one of them")
    found = []
    for part in args.seeds.split(","):
        match = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", part)
        if not match or int(match.group(2) or match.group(1)) < int(match.group(1)):
            raise LabError(f"--seeds '{args.seeds}' is no list; allowed: like 1-5"
                           " or 1,3,7-9")
        found.append(range(int(match.group(1)), int(match.group(2) or match.group(1)) + 1))
    # len() of a range is a machine's word at most
    if (count := sum(part.stop - part.start for part in found)) > SEEDS_MOST:
        raise LabError(f"--seeds '{args.seeds}' are {count} seeds; allowed: up to {SEEDS_MOST}")
    seeds = [seed for part in found for seed in part]
    if len(set(seeds)) < len(seeds):
        raise LabError(f"--seeds '{args.seeds}' has a seed twice; allowed: each once")
    return seeds


# Tables

def table(rows, out):
    """Columns as wide as needed; the first to the left, the others right."""
    widths = [max(len(row[column]) for row in rows)
              for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  " + "  ".join(cells).rstrip(), file=out)


def _factor(value):
    return "-" if value is None else f"{value:.3f}"


def _flow_rows(result):
    rows = [("flow", "from", "to", "cc", "FCT", "slowdown", "goodput",
             "retrans", "spurious", "RTO", "packets/ACK")]
    for name, flow in list(result["flows"].items())[:FLOWS_SHOWN]:
        rows.append((name, flow["src"], flow["dst"], str(flow["cc"]),
                     units.show_time(flow["fct"]), _factor(flow["slowdown"]),
                     units.show_rate(flow["goodput"]), str(flow["retrans"]),
                     str(flow["spurious"]), str(flow["rto"]),
                     _factor(flow["packets_per_ack"])))
    return rows


def _link_rows(result):
    rows = [("link", "busy", "queued", "queue mean", "queue max", "wait mean", "drops",
             "marks")]
    used = [(name, link) for name, link in result["links"].items()
            if link["packets"]]
    used.sort(key=lambda pair: -pair[1]["queue.mean"])
    for name, link in used[:LINKS_SHOWN]:
        rows.append((name, units.show_share(link["utilisation"]),
                     units.show_share(link["queued"]),
                     units.show_size(round(link["queue.mean"])),
                     units.show_size(link["queue.max"]),
                     units.show_time(round(link["queue_delay.mean"])),
                     str(link["drops"]), str(link["marks"])))
    return rows


def _size_rows(result):
    rows = [("slowdown by size", "flows", "unfinished", *expect.AGGREGATES)]
    for group in result["summary"]["slowdown_by_size"]:
        rows.append((show_sizes(group), str(group["flows"]), str(group["unfinished"]),
                     *(_factor(group[how]) for how in expect.AGGREGATES)))
    return rows


def _call_rows(result):
    rows = [("time of a response", "calls", *expect.AGGREGATES)]
    for name, flow in result["flows"].items():
        if "calls" in flow:
            rows.append((name, str(flow["calls"]), *(units.show_time(round(flow[f"call.{how}"]))
                                                     for how in expect.AGGREGATES)))
    return rows[:FLOWS_SHOWN + 1]


def _lost_packets(summary):
    """Packets that no full buffer dropped, where there are any."""
    return "".join(f" {said} {summary[key]}," for key, said in (
        ("lost", "lost on lossy links"), ("down", "lost on links that were down"))
        if summary[key])


def _late_connections(result):
    """Flows whose time is that of a lost SYN, not of the network."""
    late = [(name, flow) for name, flow in result["flows"].items()
            if flow["syn_lost"]]
    for name, flow in late[:FLOWS_SHOWN]:
        took = ("never connected" if flow["connect"] is None else
                f"connected after {units.show_time(flow['connect'])}")
        yield (f"flow {name}: a SYN or SYN-ACK was lost, it {took}"
               " (the stack tries again after 1s)")
    if len(late) > FLOWS_SHOWN:
        yield f"... and {len(late) - FLOWS_SHOWN} more flows whose SYN was lost"


def show_result(result, out):
    """The result as people read it."""
    summary = result["summary"]
    print(f"{result['title']}  (seed {result['seed']}, kernel"
          f" {result['kernel']}, trace {result['trace_hash']})", file=out)
    table(_flow_rows(result), out)
    hidden = len(result["flows"]) - FLOWS_SHOWN
    if hidden > 0:
        print(f"  ... and {hidden} more flows", file=out)
    if hidden > 0 and summary["slowdown_by_size"]:
        table(_size_rows(result), out)
    if len(calls := _call_rows(result)) > 1:
        table(calls, out)
    table(_link_rows(result), out)
    print(f"  CCT {units.show_time(summary['cct'])}, zero-queue bound"
          f" {units.show_time(summary['cct_bound'])}, inflation"
          f" {_factor(summary['cct_inflation'])}; Jain {_factor(summary['jain'])};"
          f" goodput {units.show_rate(summary['goodput'])};"
          f" links carried {units.show_rate(summary['carried'])};"
          f" unfinished {summary['unfinished']}", file=out)
    print(f"  retransmissions {summary['retrans']}, spurious"
          f" {summary['spurious']}, RTOs {summary['rto']}, drops"
          f" {summary['drops']},{_lost_packets(summary)} marks {summary['marks']}, packets per ACK"
          f" {_factor(summary['packets_per_ack'])};"
          f" {units.show_time(result['virtual_ns'])} of virtual time in"
          f" {result.wall_s:.1f} s", file=out)
    for text in _late_connections(result):
        print(f"  {text}", file=out)
    for text in result["problems"]:
        print(f"  PROBLEM {text}", file=out)
    for line in runner.complaint(result.folder):
        print(f"  | {line}", file=out)
    for item in result["expects"]:
        show_expect(result, item, out)
    print(f"  {result.folder}", file=out)


def show_expect(result, item, out):
    """One `expect` line, and what was measured."""
    verdict = "ok  " if item["ok"] else "FAIL"
    who = f" ({item['who']})" if item["who"] else ""
    some = f"; {item['failed']} of {item['of']} fail" if item["failed"] > 1 else ""
    print(f"  {verdict} {result['scenario']}.lab:{item['line']}: {item['text']}:"
          f" measured {item['shown']}{who}, wanted {item['shown_wanted']}{some}",
          file=out)


def _run_row(result):
    """What several runs are compared by."""
    summary = result["summary"]
    return (str(result["seed"]), units.show_time(summary["cct"]),
            _factor(summary["cct_inflation"]), _factor(summary["jain"]),
            units.show_rate(summary["goodput"]), str(summary["retrans"]),
            str(summary["rto"]), str(summary["drops"]),
            {0: "ok", EXIT_RUN: "invalid"}.get(result.exit_code, "fail"))


def _median_row(results):
    """The same of several seeds."""
    def median(key):
        values = [result["summary"][key] for result in results]
        return None if None in values else expect.aggregate("p50", values)
    return ("median", units.show_time(median("cct")), _factor(median("cct_inflation")),
            _factor(median("jain")), units.show_rate(median("goodput")),
            str(median("retrans")), str(median("rto")), str(median("drops")), "")


def show_runs(results, names, out):
    """One line per run, by the variables that differ, and the medians of seeds."""
    rows = [(*names, "seed", "CCT", "inflation", "Jain", "goodput", "retrans", "RTO",
             "drops", "expects")]
    groups = {}
    for result in results:
        if isinstance(result, dict):
            case = tuple(result["variables"][name] for name in names)
            groups.setdefault(case, []).append(result)
    for case, done in groups.items():
        rows += [(*case, *_run_row(result)) for result in done]
        if len(done) > 1 or not names:
            rows.append((*case, *_median_row(done)))
    table(rows, out)


# Commands

class Progress:
    """Virtual time and finished flows on stderr, on one line of a terminal."""

    lock = threading.Lock()

    def __init__(self, label, quiet):
        self.label = label
        self.live = sys.stderr.isatty()
        self.quiet = quiet
        self.tenth = -1

    def __call__(self, now, done, total):
        tenth = done * 10 // total if total else 0
        if self.quiet or not self.live and tenth == self.tenth:
            return
        self.tenth = tenth
        end = "\r" if self.live else "\n"
        with self.lock:
            print(f"{self.label}: {units.show_time(now)}, flows {done}/{total}"
                  + ("\033[K" if self.live else ""), end=end, file=sys.stderr,
                  flush=True)


def _loaded(args, seeds):
    """The scenario for each case of what --set says, and of these for each seed.

    Also the names of the variables that --set gives several values.
    """
    sets = _sets(args.set)
    own = scenarios.own_variables(args.file) if sets else {}
    return ([(scenarios.load(args.file, seed=seed, sets=case), case)
             for case in sweep.cases(sets, own) for seed in seeds], sweep.swept(sets, own))


def _run_folder(args, scenario, case, names, seeds):
    """Where one run's results go: a folder for each case and seed if there are several."""
    if not args.out:
        return runner.default_folder(scenario, case, args.debug)
    parts = [runner.folder_name([f"{name}={case[name]}" for name in names])] if names else []
    return Path(args.out, *parts, *([f"seed-{scenario.seed}"] if seeds > 1 else []))


def _run_label(scenario, case, names):
    """What a run's progress is told under."""
    return " ".join([scenario.name, *(f"{name}={case[name]}" for name in names),
                     f"seed {scenario.seed}"])


def _run(args):
    seeds = _seeds(args)
    loaded, names = _loaded(args, seeds)
    if args.wall is not None:
        for scenario, _ in loaded:
            scenario.wall = runner.wall_ns("--wall", args.wall)
    folders = [_run_folder(args, scenario, case, names, len(seeds)) for scenario, case in loaded]
    for number, folder in enumerate(folders):
        if folder in folders[:number]:
            raise LabError(f"two of the runs would have the results' directory '{folder}';"
                           " allowed: one at a time, with --out")
        runner.prepare(folder)
    tools = runner.Tools(debug=args.debug)
    jobs = [functools.partial(runner.execute, scenario, tools, folder,
                              Progress(_run_label(scenario, case, names), args.json))
            for (scenario, case), folder in zip(loaded, folders)]
    results = runner.run_many(jobs, args.jobs)
    return _report_runs(results, names, args.json)


def _report_runs(results, names, as_json):
    for result in results:
        if isinstance(result, LabError):
            print(f"lab: {result}", file=sys.stderr)
        elif not as_json:
            show_result(result, sys.stdout)
    if as_json:
        texts = [result.text().rstrip() for result in results if isinstance(result, dict)]
        print(texts[0] if len(results) == 1 and texts else f"[{','.join(texts)}]")
    if len(results) > 1 and not as_json:
        show_runs(results, names, sys.stdout)
    return max(result.exit_code for result in results)


def _check(args):
    loaded, names = _loaded(args, [args.seed])
    for scenario, case in loaded:
        network = scenario.network
        which = "".join(f" {name}={case[name]}" for name in names)
        print(f"{args.file}{which}: ok: {len(network.hosts())} hosts,"
              f" {len(network.switches())} switches, {len(network.links)} links,"
              f" {len(scenario.flows)} flows, {len(scenario.expects)} expects")
    return EXIT_OK


def _plan(args):
    scenario = scenarios.load(args.file, seed=args.seed, sets=_sets(args.set))
    def symbolic(name):
        return name if "/" in name else f"{name}.ko"
    sys.stdout.write(plan.compile_plan(scenario, symbolic))
    return EXIT_OK


def _build(args):
    tools = runner.Tools(debug=args.debug, source=args.source)
    print(f"kernel   {tools.kernel.linux}")
    for path in tools.modules.values():
        print(f"module   {path}")
    print(f"agent    {tools.agent}")
    return EXIT_OK


def _algorithms(_args):
    for name in algorithms.builtin():
        print(f"{name:16} built into the lab's kernel")
    for name, module in algorithms.ours().items():
        print(f"{name:16} {module}.ko of this project")
    return EXIT_OK


def _words(_args):
    """What the language knows, from the tables that read it."""
    print("directives: set " + " ".join(scenarios.DIRECTIVES))
    for name, (own, _, _) in topology.TOPOLOGIES.items():
        print(f"topology {name}: {' '.join(own)}")
    print(f"topology {graph.KIND}, drawn by: switch NAME ...; host NAME ...;"
          " link A B [name=NAME] [KEY=VALUE ...]")
    print(f"  keys of the line topology {graph.KIND}: {' '.join(topology.table(graph.keys()))}")
    print(f"  keys of link lines: {' '.join(topology.link_keys({}))}")
    print("flow keys:")
    for name, key in flows.SINGLE_KEYS.items():
        print(f"  {name:10} {key.meaning}")
    for name, (own, _) in flows.WORKLOADS.items():
        print(f"workload {name}:")
        for word, key in own.items():
            print(f"  {word:12} {key.meaning}")
    print("sizes: " + " ".join(sizes.named()))
    print("host offload keys:")
    for name, key in scenarios.OFFLOAD_KEYS.items():
        print(f"  {name:10} {key.meaning}")
    for subject, metrics in expect.METRICS.items():
        print(f"expect {subject}: {' '.join(metrics)}")
    print("counters of our modules, in results.json:")
    for name, meaning in algorithms.counters().items():
        print(f"  {name:24} {meaning}")
    return EXIT_OK


class _Version(argparse.Action):
    """Prints the project's version, and what it was checked out as, and ends."""

    def __call__(self, program, *_):
        print(algorithms.version_line(program.prog))
        raise SystemExit(EXIT_OK)


def parser():
    """The command line."""
    top = argparse.ArgumentParser(
        prog="lab", description="Run the real Linux TCP stack in virtual time.")
    top.add_argument("--version", action=_Version, nargs=0,
                     help="the project's version and commit")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="build kernel, modules and agent")
    build.add_argument("--source", metavar="TARBALL", help="of a Linux 6.12, now and from now"
                       " on (default, and 'debian': linux-source-6.12)")
    build.set_defaults(call=_build)
    run = commands.add_parser("run", help="run a scenario")
    check = commands.add_parser("check", help="check a scenario")
    show = commands.add_parser("plan", help="print what the guest would do")
    for command, call in ((run, _run), (check, _check), (show, _plan)):
        command.add_argument("file", metavar="FILE", help="the scenario")
        command.add_argument("--seed", type=int, metavar="N")
        command.add_argument("--set", action="append", metavar="NAME=VALUE",
                             help="override a variable of the scenario; run and check"
                             " take several values, NAME=A,B: each in turn")
        command.set_defaults(call=call)
    for command in (build, run):
        command.add_argument("--debug", action="store_true", help="the debug kernel:"
                             " KASAN, lockdep, leaks; slower, the same figures")
    run.add_argument("--seeds", metavar="1-5", help="run several seeds")
    run.add_argument("--out", metavar="DIR", help="where the results go")
    run.add_argument("--json", action="store_true", help="print results.json")
    run.add_argument("--wall", type=float, metavar="SECONDS",
                     help="kill the run after this time")
    run.add_argument("-j", "--jobs", type=int, default=1, metavar="N",
                     help="so many runs at a time")
    commands.add_parser("algorithms", help="list what cc= may name"
                        ).set_defaults(call=_algorithms)
    commands.add_parser("words", help="list what a scenario may say"
                        ).set_defaults(call=_words)
    commands.add_parser("report", help="plots and an HTML page of results",
                        add_help=False)
    return top


def main(argv=None):
    """Returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    return ending.run("lab", lambda: _told(argv), (OSError,), EXIT_RUN)


def _told(argv):
    """The exit code; what was refused or interrupted is told."""
    try:
        return _call(argv)
    except LabError as error:
        print(f"lab: {error}" if not hasattr(error, "problems") else error,
              file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("lab: interrupted; what was compiled so far is kept", file=sys.stderr)
        return EXIT_INTERRUPTED


def _call(argv):
    if argv[:1] == ["report"]:
        from . import report
        return report.main(argv[1:])
    args = parser().parse_args(argv)
    if getattr(args, "jobs", 1) < 1:
        raise LabError(f"-j '{args.jobs}' is out of range; allowed: 1 or more")
    return args.call(args)
