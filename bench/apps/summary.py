# SPDX-License-Identifier: Apache-2.0
"""From samples to medians, ratios against plain, and a table."""

import math
from statistics import median

PLAIN = "plain"
METRICS = ("cpu_ns", "wall_ns", "rss_kb")


def medians(samples):
    return {metric: median(sample[metric] for sample in samples) for metric in METRICS}


def ratios(measured, plain):
    """Ratio by metric; a plain time below the clock's tick has none."""
    return {metric: measured[metric] / plain[metric] if plain[metric] else None for metric in METRICS}


def geometric_mean(values):
    present = [value for value in values if value]
    return math.exp(sum(map(math.log, present)) / len(present)) if present else None


def add_ratios(entry):
    """Fills in medians and ratios of one workload on one JDK: {"samples": {config: [...]}}."""
    entry["medians"] = {config: medians(samples) for config, samples in entry["samples"].items() if samples}
    plain = entry["medians"].get(PLAIN)
    entry["ratios"] = {
        config: ratios(measured, plain)
        for config, measured in entry["medians"].items()
        if config != PLAIN and plain
    }


def add_means(result, configs):
    """The geometric mean of all ratios in one group, by configuration and metric."""
    result["geometric_mean"] = {
        group: {
            config: {
                metric: geometric_mean(
                    entry["ratios"][config][metric]
                    for entry in result["workloads"]
                    if entry["group"] == group and config in entry["ratios"]
                )
                for metric in METRICS
            }
            for config in configs
        }
        for group in sorted({entry["group"] for entry in result["workloads"]})
        if group != "startup"
    }


def table(result, configs):
    """The lines of the report on one JDK."""
    lines = [f"{result['version']} ({result['java']})", *_header(configs)]
    for group in ("kernels", "subjects", "startup"):
        entries = [entry for entry in result["workloads"] if entry["group"] == group]
        lines += [_row(entry, configs) for entry in entries]
        mean = result["geometric_mean"].get(group)
        if mean and len(entries) > 1:
            cells = "".join(_cells(mean[config]) for config in configs)
            lines.append(f"{'geometric mean, ' + group:<26}{'':>20}{cells}")
        lines += [_startup_line(entry, config) for entry in entries if group == "startup" for config in entry["ratios"]]
        lines += [""] if entries else []
    return lines


def _header(configs):
    names = "".join(f"  {config:^24}" for config in configs)
    columns = f"{'cpu':>8}{'wall':>8}{'memory':>8}"
    units = "".join(f"  {columns}" for _ in configs)
    return [f"{'':<26}{PLAIN:^20}{names}", f"{'':<26}{'cpu ms':>10}{'wall ms':>10}{units}"]


def _row(entry, configs):
    plain = entry["medians"].get(PLAIN)
    times = f"{plain['cpu_ns'] / 1e6:>10.1f}{plain['wall_ns'] / 1e6:>10.1f}" if plain else f"{'failed':>20}"
    return f"{entry['name']:<26}{times}" + "".join(_cells(entry["ratios"].get(config)) for config in configs)


def _cells(values):
    if values is None:
        return f"  {'failed':>24}"
    return "  " + "".join(f"{values[m]:>7.2f}x" if values[m] else f"{'-':>8}" for m in METRICS)


def _startup_line(entry, config):
    added = entry["medians"][config]["wall_ns"] - entry["medians"][PLAIN]["wall_ns"]
    return f"  start-up with {config}: {added / 1e6:+.0f} ms wall"
