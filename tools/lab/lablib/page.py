# SPDX-License-Identifier: GPL-2.0
"""The pieces of an HTML report: one file, no script, nothing from elsewhere.

Text given to these functions is plain and gets escaped, unless its parameter is
called `html` or `svg`.
"""

from html import escape

from . import plot

EQUALS = "\u00a0=\u00a0"        # " = " that does not break over lines
DARK = ("#6ea8ff", "#ff9d52", "#4fd08a", "#c792f5", "#ff7285", "#4cc9d8",
        "#e0bf4a", "#a8b0bd", "#ff8fdc", "#7a70f5", "#d6559a", "#bfe0ff",
        "#c98a5e", "#a8d62e")

_COLORS = """
:root{--paper:#f6f7f9;--card:#fff;--ink:#333a45;--strong:#12161c;--soft:#5d6674;
--faint:#dfe3e9;--good:#14733a;--bad:#b3202f;--bar:#cfe0fb;LIGHT}
@media(prefers-color-scheme:dark){:root{--paper:#14171c;--card:#1c2027;--ink:#c3cad5;
--strong:#f1f4f8;--soft:#98a2b1;--faint:#333a45;--good:#5fd68d;--bad:#ff8590;
--bar:#26426e;DARK}}
"""
_RULES = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,
-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:1.7rem;line-height:1.25;margin:.2em 0 .3em;color:var(--strong)}
h2{font-size:1.25rem;margin:2em 0 .5em;color:var(--strong)}
h3{font-size:1rem;margin:0 0 .3em;color:var(--strong)}
p{margin:.5em 0;max-width:72ch}
.soft,figcaption{color:var(--soft)}
.lead{font-size:1.1rem;color:var(--strong)}
.grid{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr))}
figure,.card{background:var(--card);border:1px solid var(--faint);border-radius:10px;
margin:0;padding:14px 16px;min-width:0}
figure>svg{display:block;width:100%;height:auto}
figure.wide{max-width:660px}
figcaption{font-size:.9rem;margin-top:.4em}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;margin:.3em 0 0;padding:0;list-style:none;
font-size:.85rem}
.legend li{display:flex;align-items:center;gap:6px;overflow-wrap:anywhere}
.swatch{width:28px;height:12px;flex:none}
.tiles{display:grid;gap:10px;grid-template-columns:repeat(auto-fit,minmax(138px,1fr));margin:14px 0}
.tiles div{background:var(--card);border:1px solid var(--faint);border-radius:10px;padding:9px 12px}
.tiles b{display:block;font-size:1.15rem;color:var(--strong);overflow-wrap:anywhere}
.tiles span{font-size:.82rem;color:var(--soft)}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--faint);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--faint)}
tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;vertical-align:bottom;white-space:normal}
th:first-child,td:first-child,.left,.text{text-align:left}
.text{white-space:normal;min-width:18em}
tbody th{font-weight:600;color:var(--strong)}
.bar{background:linear-gradient(var(--bar),var(--bar)) no-repeat left/var(--w) 100%}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
details{margin:.8em 0}summary{cursor:pointer;color:var(--soft)}
pre{overflow-x:auto;background:var(--card);border:1px solid var(--faint);border-radius:10px;
padding:12px 14px;font-size:.8rem;line-height:1.45}
code{font-size:.9em;overflow-wrap:anywhere}
@media(max-width:480px){main{padding:12px 10px 40px}figure,.card{padding:10px}
h1{font-size:1.35rem}}
"""


def _variables(colors):
    return "".join(f"--c{number}:{color};" for number, color in enumerate(colors))


STYLE = (_COLORS.replace("LIGHT", _variables(plot.PALETTE))
         .replace("DARK", _variables(DARK)) + _RULES)


def document(title, html):
    """The whole file."""
    return (f"<!DOCTYPE html>\n<!-- SPDX-License-Identifier: GPL-2.0 -->\n"
            f"<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
            f"<meta name='viewport' content='width=device-width,initial-scale=1'>\n"
            f"<meta name='color-scheme' content='light dark'>\n"
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
            f"<body>\n<main>\n{html}\n</main>\n</body>\n</html>\n")


def paragraph(text, kind=""):
    """A paragraph; `kind` is a class of the style sheet."""
    attribute = f" class='{kind}'" if kind else ""
    return f"<p{attribute}>{escape(text)}</p>\n"


def heading(text, place=""):
    """The heading of a section, to which contents() may lead."""
    return f"<h2{f' id={place!r}' if place else ''}>{escape(text)}</h2>\n"


def contents(places):
    """Links to the sections of a long page."""
    links = " ".join(f"<a href='#{place}'>{escape(place)}</a>" for place in places)
    return f"<nav><p class='soft'>{links}</p></nav>\n"


def tiles(pairs):
    """Key figures: (value, what it is)."""
    cells = "".join(f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>"
                    for value, what in pairs)
    return f"<div class='tiles'>{cells}</div>\n"


class Cell(str):
    """A table cell with a look: good, bad or left; `share` draws a bar."""

    look = ""
    share = None


def cell(text, look="", share=None):
    """A cell that is more than text; `share` is from 0 to 1."""
    made = Cell(text)
    made.look, made.share = look, share
    return made


def _td(text):
    look = getattr(text, "look", "")
    share = getattr(text, "share", None)
    if share is None:
        return f"<td{f' class={look!r}' if look else ''}>{escape(text)}</td>"
    width = min(max(share, 0), 1)
    return (f"<td class='{(look + ' bar').strip()}' style='--w:{width:.1%}'>"
            f"{escape(text)}</td>")


def table(head, rows):
    """A table that scrolls sideways by itself where it is too wide."""
    top = "".join(f"<th scope='col'>{escape(text).replace(' = ', EQUALS)}</th>"
                  for text in head)
    body = "".join(f"<tr><th scope='row'>{escape(row[0])}</th>"
                   + "".join(map(_td, row[1:])) + "</tr>\n" for row in rows)
    return (f"<div class='scroll'><table><thead><tr>{top}</tr></thead>\n"
            f"<tbody>{body}</tbody></table></div>\n")


def legend(curves):
    """The curves' names beside samples of their lines."""
    items = "".join(f"<li>{plot.swatch(curve)}<span>{escape(curve.label)}</span></li>"
                    for curve in curves)
    return f"<ul class='legend'>{items}</ul>"


def figure(title, drawing, caption, wide=False):
    """A Plot with its legend and a caption; nothing if it has no data."""
    picture = plot.svg(drawing, title)
    if not picture:
        return ""
    names = legend(drawing.drawn())
    return picture_figure(title, picture + names, caption, wide)


def picture_figure(title, html, caption, wide=False):
    """Any picture with title and caption."""
    look = " class='wide'" if wide else ""
    return (f"<figure{look}><h3>{escape(title)}</h3>\n{html}\n"
            f"<figcaption>{escape(caption)}</figcaption></figure>\n")


def grid(parts):
    """Figures side by side where there is room."""
    parts = [part for part in parts if part]
    return f"<div class='grid'>\n{''.join(parts)}</div>\n" if parts else ""


def folded(summary, html):
    """What not every reader wants to see."""
    return f"<details><summary>{escape(summary)}</summary>{html}</details>\n"


def fold(summary, text):
    """Long text, closed until asked for."""
    return folded(summary, f"<pre>{escape(text)}</pre>")
