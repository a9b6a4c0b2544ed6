"""The web app's weight and its colours, computed from the files themselves.

Weights are of Brotli, as a hub sends it to a browser that accepts it; test_web_states.py compares the guest page's transferred bytes with the sum
made here.
"""

import pathlib
import re

import brotli
import pytest
import requests

pytestmark = pytest.mark.long

SITE = pathlib.Path(__file__).resolve().parents[2] / "Sources/CardeaWeb/Site"
KB = 1024


# The URL of a hub that sends the weighed files, and the files it sent.
HUB = {}


@pytest.fixture(autouse=True)
def served(module_hub):
    weigh_what(module_hub)


def weigh_what(hub):
    if HUB.get("at") != hub.url:
        HUB.clear()
        HUB["at"] = hub.url


def sent(path):
    """The file as the hub sends it: scripts and styles without comments and spaces."""
    if path.suffix not in (".js", ".css"):
        return path.read_text()
    if path not in HUB:
        answer = requests.get(f"{HUB['at']}/{path.resolve().relative_to(SITE)}", timeout=60)
        assert answer.status_code == 200, path
        answer.encoding = "utf-8"
        HUB[path] = answer.text
    return HUB[path]


def weight(path):
    return len(brotli.compress(sent(path).encode(), mode=brotli.MODE_TEXT))


def imports(path, lazy=False):
    """The modules that a module imports: at once, or (lazy) on first use."""
    text = path.read_text()
    pattern = r'import\(\s*["\']([^"\']+)["\']\s*\)' if lazy else r'^(?:import|export)\b[^;]*?["\'](\.{1,2}/[^"\']+)["\'];'
    return [(path.parent / name).resolve() for name in re.findall(pattern, text, re.M)]


def closure(*entries):
    """All modules loaded with a module, and the length of the longest request chain."""
    depth = {}
    todo = [(entry, 1) for entry in entries]
    while todo:
        path, level = todo.pop()
        if depth.get(path, 0) >= level:
            continue
        depth[path] = level
        todo += [(one, level + 1) for one in imports(path)]
    return depth


def scripts(page):
    return [SITE / name.lstrip("/") for name in re.findall(r'<script type="module"[^>]* src="([^"]+)"', (SITE / page).read_text())]


def styles(page):
    return [SITE / name.lstrip("/") for name in re.findall(r'rel="stylesheet" href="([^"]+)"', (SITE / page).read_text())]


def joined():
    """Stylesheets that the hub sends inside another one."""
    sheets = SITE.rglob("*.css")
    return {(sheet.parent / name).resolve() for sheet in sheets for name in re.findall(r'^@import "([^"]+)";$', sheet.read_text(), re.M)}


def preloaded(page):
    return {(SITE / name.lstrip("/")).resolve() for name in re.findall(r'rel="modulepreload" href="([^"]+)"', (SITE / page).read_text())}


def code(path):
    """The file without its comments, because a comment may mention what the code must not do."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    return re.sub(r"^\s*//.*$", "", text, flags=re.M)


def total(paths):
    return sum(weight(path) for path in paths)


def guest_scripts():
    """Every script that the guest's page may load, at once or later."""
    modules = set(closure(*scripts("guest.html")))
    return modules | set(closure(*[p for page in modules for p in imports(page, lazy=True)]))


def household_modules():
    """Every module that the household app may load, at once or on first use."""
    modules = set(closure(*scripts("index.html"), *household_routes()))
    while True:
        more = set(closure(*modules, *[p for module in modules for p in imports(module, lazy=True) if p.suffix == ".js"]))
        if more == modules:
            return modules
        modules = more


def test_the_guest_page_is_within_its_budget(record_property):
    modules = guest_scripts()
    record_property("guest_js", total(modules))

    css = styles("guest.html")
    record_property("guest_css", total(css))

    assert total(modules) <= 14 * KB, {p.name: weight(p) for p in modules}
    assert total(css) <= 6 * KB


def test_no_line_of_a_string_looks_like_a_comment():
    """Comments are recognised by their line alone, so no line inside a string may begin like one."""
    for path in (SITE / "assets").rglob("*.js"):
        for text in re.findall(r"`[^`]*`", code(path)):
            assert not re.search(r"^[ \t]*(//|/\*)", text, re.M), path.name


def test_no_comment_follows_code_on_its_line():
    """Line ends are removed as the hub starts, so a comment would swallow the next line."""
    for path in SITE.rglob("*.js"):
        for line in code(path).splitlines():
            assert "//" not in re.sub(r"\"[^\"]*\"|`[^`]*`", "", line.replace("\\/", "x")), f"{path.name}: {line}"


def test_no_string_spans_lines():
    """Indentation and line ends are removed as the hub starts, so none may be part of a string."""
    for path in SITE.rglob("*.js"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert line.count("`") % 2 == 0 or line.lstrip().startswith(("//", "*")), f"{path.name}:{number}"


def test_no_statement_is_empty():
    """A semicolon before a closing brace is removed, so none may be a loop's whole body."""
    for path in SITE.rglob("*.js"):
        text = code(path)
        for head in re.finditer(r"\b(?:while|for|if) \(|\belse\b", text):
            at = head.end()
            depth = int(head.group().endswith("("))
            while depth:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
            assert not text[at:].lstrip().startswith(";"), f"{path.name}: {text[head.start():at]}"


def test_no_string_in_a_stylesheet_contains_minified_characters():
    for path in SITE.rglob("*.css"):
        for text in re.findall(r"\"[^\"]*\"", code(path)):
            assert not re.search(r"[{};>]|[:,] ", text), f"{path.name}: {text}"


def test_the_guest_page_loads_in_one_request_chain():
    modules = closure(*scripts("guest.html"))

    assert set(modules) - {s.resolve() for s in scripts("guest.html")} <= preloaded("guest.html"), "every module is preloaded, so the chain is two deep"


def household_routes():
    text = (SITE / "assets/Shell/app.js").read_text()
    screens = re.findall(r'\(\) => import\("([^"]+)"\)', text)
    settings = re.search(r"settings\\/\(([a-z|]+)\)", text).group(1).split("|")
    folder = SITE / "assets/Shell"
    return {(folder / name).resolve() for name in screens} | {(SITE / f"assets/Settings/{name}.js").resolve() for name in settings}


def test_shell_and_home_are_within_their_budget(record_property):
    home = set(closure(*scripts("index.html"), SITE / "assets/Devices/home.js"))
    css = styles("index.html")
    record_property("home_js", total(home))
    record_property("home_css", total(css))

    assert total(home) <= 50 * KB
    assert total(css) <= 14 * KB
    assert weight(SITE / "assets/icons.svg") <= 10 * KB
    assert home - {s.resolve() for s in scripts("index.html")} == preloaded("index.html"), "the first screen comes in one chain, and nothing else with it"


@pytest.mark.parametrize("screen", sorted(household_routes()), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_each_further_screen_is_within_its_budget(screen):
    home = set(closure(*scripts("index.html"), SITE / "assets/Devices/home.js"))

    assert screen.exists()
    assert total(set(closure(screen)) - home) <= 18 * KB


def test_the_whole_app_is_within_its_budget(record_property):
    """Everything that a resident's browser may load; the guest's page, the contract's and the policy are other apps (docs/decisions/0044)."""
    others = {SITE / name for name in ("guest.html", "contract.html", "policy.html")}
    others |= {file for name in ("GuestPage", "Contract", "Policy") for file in (SITE / "assets" / name).iterdir()}
    household = household_modules() | set(styles("index.html"))
    assert not household & others, "nothing of the household app comes from another one"

    everything = [p for p in SITE.rglob("*") if p.is_file() and p not in others | joined()]
    record_property("whole_app", total(everything))

    assert total(everything) <= 180 * KB


def test_the_minds_pages_are_within_their_budget(record_property):
    """Each of them, with the shared module and the styles, which load with the first of them and not with Home; and all together."""
    folder = SITE / "assets/Mind"
    shared = folder / "mind.css"
    mind = total(folder.iterdir())
    record_property("mind", mind)

    for page in ("conversation", "mood", "memory", "twins", "whatIf"):
        own = {path for path in closure(folder / f"{page}.js") if path.parent == folder.resolve()}
        assert total(own | {shared}) <= 8 * KB, page
    assert mind <= 15 * KB


def test_every_module_is_used_and_cached_by_the_worker():
    """A file that is never loaded is dead, and one that the worker does not cache is missing when the house is offline."""
    worker = (SITE / "sw.js").read_text()
    kept = set(re.findall(r'"(/assets/[^"$]+)"', worker))
    for names, folder in re.findall(r'"([a-zA-Z ]+)"\.split\(" "\)\.map\(\(name\) => `(/assets/[A-Za-z]+)/\$\{name\}\.js`\)', worker):
        kept |= {f"{folder}/{name}.js" for name in names.split(" ")}
    there = {"/" + str(p.relative_to(SITE)) for p in (SITE / "assets").rglob("*") if p.is_file() and p not in joined()}
    there -= {"/assets/GuestPage/unsupported.js"}
    # The contract's page reads the hub's own documents: it shows nothing without the hub. The policy is not part of the app.
    there = {path for path in there if not path.startswith(("/assets/Contract/", "/assets/Policy/"))}

    assert kept == there


def test_joined_stylesheets_are_sent_as_one():
    assert joined() == {SITE / f"assets/{name}.css" for name in ("Shell/shell", "Devices/devices", "Guests/guests", "Events/events", "Tags/tags")}
    for page in ("index.html", "guest.html"):
        assert not any("@import" in sent(sheet) for sheet in styles(page))


def test_imported_files_exist():
    for path in (SITE / "assets").rglob("*.js"):
        for one in imports(path) + [p for p in imports(path, lazy=True) if p.suffix == ".js"]:
            assert one.exists(), f"{path.name} imports {one}"


def test_every_used_icon_exists():
    drawn = set(re.findall(r'<symbol id="([^"]+)"', (SITE / "assets/icons.svg").read_text()))
    for path in (SITE / "assets").rglob("*.js"):
        for name in re.findall(r'\b(?:icon|glyph)\("([a-z0-9-]+)"', code(path)):
            # The guest's leaf names a state with the prefix d- (door) or g- (garage).
            assert name in drawn or {f"d-{name}", f"g-{name}"} <= drawn, f"{path.name} uses {name}"


def test_no_unsafe_dom_call_and_no_inline_script_or_style():
    for path in SITE.rglob("*"):
        if path.suffix not in (".js", ".html"):
            continue
        text = code(path)
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert forbidden not in text, f"{path.name}: {forbidden}"
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*\bsrc=)", text) and "<style" not in text and not re.search(r'\s(style|on[a-z]+)="', text)


def test_the_guest_page_uses_nothing_newer_than_five_years():
    files = [p for p in closure(*scripts("guest.html"))] + styles("guest.html")
    for path in files:
        text = code(path)
        for newer in (":has(", "light-dark(", "popover", "startViewTransition", "color-mix(", "@container", "@layer", "structuredClone", ".at(-", "randomUUID", "Object.groupBy", "replaceAll("):
            assert newer not in text, f"{path.name}: {newer}"
        if path.suffix == ".css":
            assert not re.search(r"\{[^{}]*&", text), f"{path.name} nests"


# Colours

TOKEN = re.compile(r"(--[a-z0-9-]+):\s*(#[0-9A-Fa-f]{6})\b")


def themes():
    text = (SITE / "assets/Style/tokens.css").read_text()
    light = dict(TOKEN.findall(text[text.index(":root {"):text.index("@media (prefers-color-scheme")]))
    system = dict(TOKEN.findall(text[text.index("@media (prefers-color-scheme"):text.index(':root[data-theme="dark"] {')]))
    chosen = dict(TOKEN.findall(text[text.index(':root[data-theme="dark"] {'):text.index("@media (prefers-contrast")]))
    return light, system, chosen


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# foreground, background, required, and the measured contrast when the colours were chosen (light, dark)
PAIRS = [
    ("text", "page", 4.5, 15.6, 15.9), ("text", "surface", 4.5, 17.0, 14.6), ("text2", "page", 4.5, 7.0, 9.3), ("text2", "sunken", 4.5, 6.3, 7.5),
    ("text3", "page", 4.5, 5.0, 6.7), ("text3", "surface", 4.5, 5.4, 6.2), ("text3", "sunken", 4.5, 4.52, 5.4), ("text2", "raised", 4.5, 7.6, 5.6),
    ("accent", "page", 4.5, 7.2, 10.2), ("accent", "surface", 4.5, 7.9, 9.4), ("on-fill", "fill", 4.5, 7.9, 5.5), ("on-fill", "fill-pressed", 4.5, 10.7, 8.0),
    ("fill", "page", 3, 7.2, 3.4), ("fill", "surface", 3, 7.9, 3.1), ("accent-ink", "accent-soft", 4.5, 8.2, 9.3), ("brass-ink", "brass-soft", 4.5, 6.1, 8.5),
    ("danger-ink", "danger-soft", 4.5, 6.5, 7.7), ("info-ink", "info-soft", 4.5, 6.8, 8.2), ("unknown-ink", "unknown-soft", 4.5, 6.3, 8.1), ("unknown", "surface", 3, 5.0, 5.3),
    ("lamp-ink", "lamp", 4.5, 11.3, 9.1), ("lamp-edge", "sunken", 3, 3.2, 7.9), ("text", "glow", 4.5, 11.5, 8.4), ("text2", "glow", 4.5, 5.2, 4.9),
    ("edge", "page", 3, 3.6, 4.8), ("edge", "sunken", 3, 3.2, 3.9), ("focus", "page", 3, 5.9, 8.8), ("brass", "surface", 3, 3.6, 7.0), ("surface", "danger", 4.5, 6.5, 6.3),
]


@pytest.mark.parametrize("ink, ground, needed, light, dark", PAIRS, ids=lambda v: str(v))
def test_text_has_enough_contrast(ink, ground, needed, light, dark):
    for theme, measured in zip(themes(), (light, dark)):
        found = contrast(theme[f"--{ink}"], theme[f"--{ground}"])

        assert found >= needed
        assert found == pytest.approx(measured, abs=0.06)


def test_both_dark_themes_are_identical():
    light, system, chosen = themes()

    assert system == chosen
    assert set(light) == set(chosen)
