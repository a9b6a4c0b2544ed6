"""A page in every display mode: without motion, in forced colours, with more contrast, with longer words, from right to left.

And Home loads without layout shift.
"""

import re

import pytest

import house
from test_tour import DESK, PHONE, browser  # noqa: F401
from test_web_states import KEPT, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SCREENS = {"/": "device-tile", "/activity": ".timeline, .empty", "/guests/new": "form", "/devices/front-door": "door-row", "/settings/integrations": "article.panel"}

# Every word of the app is two fifths longer, as in another language, and still one word: "Home" is "Hoomee".
LONGER = r"""
const longer = (word) => {
  const made = word.replace(/[aeiou]/gi, "$&$&");
  return made + "o".repeat(Math.max(0, Math.ceil(word.length * 1.4) - made.length));
};
(function lengthen(words) {
  for (const [key, word] of Object.entries(words)) {
    if (typeof word === "string") words[key] = longer(word);
    else if (typeof word === "function") words[key] = (...of) => { const said = word.apply(words, of); return typeof said === "string" ? longer(said) : said; };
    else if (word && typeof word === "object") lengthen(word);
  }
})(text);
"""


def in_longer_words(page):
    page.route("**/assets/Shell/text.js", lambda route: route.fulfill(content_type="text/javascript; charset=utf-8", body=f"{route.fetch().text()}\n{LONGER}"))


def from_right_to_left(page):
    page.add_init_script("document.addEventListener('DOMContentLoaded', () => (document.documentElement.dir = 'rtl'))")


def on_a_piece(seen):
    """The effect on an element that is added for the test and removed again: existing elements may not show a rule's effect."""
    return f"""(() => {{
        const piece = document.body.appendChild(document.createElement('i'));
        try {{
            return ({seen})(piece);
        }} finally {{
            piece.remove();
        }}
    }})()"""


# The browser's settings, the change to the page, and the check that the page took it.
WAYS = {
    "without motion": ({"reduced_motion": "reduce"}, None, on_a_piece("""(piece) => {
        for (const name of ['animationDuration', 'transitionDuration']) piece.style[name] = '9s';
        piece.style.animationIterationCount = 'infinite';
        const { animationDuration, transitionDuration, animationIterationCount } = getComputedStyle(piece);
        return parseFloat(animationDuration) <= .001 && parseFloat(transitionDuration) <= .001 && animationIterationCount === '1'
            && document.getAnimations().every((one) => one.effect.getComputedTiming().duration <= 1);
    }""")),
    # With an extra button, since not every page has one.
    "in colours of their own": ({"forced_colors": "active"}, None, on_a_piece("""(piece) => {
        piece.className = 'button';
        const buttons = [...document.querySelectorAll('.button')];
        return buttons.includes(piece) && buttons.every((one) => getComputedStyle(one).borderTopStyle === 'solid');
    }""")),
    "with more contrast": ({"contrast": "more"}, None, """(() => {
        const house = getComputedStyle(document.documentElement), of = (name) => house.getPropertyValue(name).trim();
        return of('--line') === of('--edge') && of('--text3') === of('--text2');
    })()"""),
    "in longer words": ({}, in_longer_words, "document.querySelector('.bar').textContent.includes('Hoomee')"),
    "from right to left": ({}, from_right_to_left, "getComputedStyle(document.body).direction === 'rtl'"),
}

# Elements that a tap at their middle does not hit.
UNREACHED = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => {
    if (one.matches('.skip') || one.closest('[aria-hidden="true"]') || !one.checkVisibility({ visibilityProperty: true })) return false;
    one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = one.getClientRects()[0];
    const hit = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !hit || !(one.contains(hit) || one === hit.closest('label')?.control);
}).map((one) => `${one.tagName} ${one.className}: ${(one.getAttribute('aria-label') || one.textContent).trim().slice(0, 40)}`)"""


@pytest.mark.parametrize("way", WAYS)
def test_every_page_is_usable_in_each_display_mode(module_hub, module_owner, watch, way):  # noqa: F811
    settings, done, taken = WAYS[way]
    # A worker's cached files would bypass these changes.
    visitor = watch("owner", service_workers="block", **settings)
    page = visitor.page
    if done:
        done(page)
    sign_in(visitor, module_hub, to=None)
    for path, there in SCREENS.items():
        page.goto(module_hub.url + path)
        page.locator(there).first.wait_for()
        page.locator(".skeleton").first.wait_for(state="detached")
        page.wait_for_function(f"() => ({taken})")
        sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert sideways <= 0, f"{path} scrolls {sideways} px sideways"
        assert page.evaluate(UNREACHED) == [], path
    assert [one for one in visitor.complaints if re.match("error: ", one)] == []


MOVED = """
    window.moved = [];
    new PerformanceObserver((list) => moved.push(...list.getEntries().map(({ value, sources }) => [value, sources.map(({ node }) => node && (node.className || node.nodeName))])))
        .observe({ type: 'layout-shift', buffered: true });
"""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["390", "1440"])
def test_home_loads_without_layout_shift(module_hub, module_owner, watch, size):  # noqa: F811
    visitor = watch("owner", size=size)
    page = visitor.page
    page.add_init_script(MOVED)
    sign_in(visitor, module_hub, to=None)
    # The first visit, and from the cached home page.
    for time in ("first", "second"):
        page.goto(module_hub.url + "/")
        page.locator("device-tile").first.wait_for()
        page.wait_for_load_state("networkidle")
        moved = page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(moved))))")
        assert sum(value for value, _ in moved) == 0, f"the {time} time: {moved}"
        house.until(lambda: page.evaluate(KEPT) == 2, "the board and its key are kept")
