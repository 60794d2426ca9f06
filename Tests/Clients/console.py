"""Opens the page of a store in Chromium and works with it as people do.

Told where by STORE in the environment; prints one line of JSON for each check: {"check": …, "ok": …, "detail": …}.
"""

import json
import os
import re
import shutil
import time
import traceback

from playwright.sync_api import expect, sync_playwright

from story import DAY, SHOP, Receiver, Store, waiting, year

told = json.loads(os.environ["STORE"])
store = Store(told["url"])
SECTIONS = ["live", "customers", "catalogue", "waiting", "notifications", "faults", "clock", "stores"]
expect.set_options(timeout=10_000)

WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


class Room:
    """A window with what it complained of."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(**options)
        self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda message: self.complain(message.type, f"{message.text} {message.location.get('url', '')}"))
        self.page.on("pageerror", lambda error: self.complain("error", str(error)))

    def complain(self, kind, text):
        # A refusal that a check asks for is no complaint of the page.
        if kind in ("error", "warning") and "status of 409" not in text:
            self.complaints.append(text)

    def go(self, section, base=told["url"]):
        """Opens a section, without loading the page again where it is open."""
        if not self.page.url.startswith(f"{base}/console/"):
            self.page.goto(f"{base}/console/#/{section}")
        else:
            self.page.evaluate("hash => { location.hash = hash }", f"#/{section}")
        link = self.page.locator(f"[data-section={section.split('/')[0]}]")
        expect(link).to_have_attribute("aria-current", "page")
        expect(self.page.locator("main h1").first).to_be_visible()
        return self.page


def live(room):
    page = room.go("live")
    page.evaluate("window.stillTheSame = true")
    store.buy("ada@example.com", "seeds5")
    row = page.locator("tr.fresh", has_text="Bought").filter(has_text="seeds5")
    expect(row).to_be_visible()
    assert page.evaluate("window.stillTheSame"), "the page was loaded again"
    expect(row.locator("a")).to_have_text("ada@example.com")
    page.get_by_role("button", name="Refunds").click()
    expect(row).to_have_count(0)
    expect(page.locator("tbody tr").first).to_contain_text("Refund")
    page.get_by_role("button", name="Everything").click()
    expect(page.locator("tbody tr").first).to_be_visible()


def box(locator):
    found = locator.bounding_box()
    return found["x"], found["x"] + found["width"]


def time_line(room):
    page = room.go("customers/ada%40example.com")
    svg = page.locator("svg.timeline-svg")
    expect(svg.locator("rect.bar.offer.shape")).to_have_count(1)
    expect(svg.locator("rect.bar.grace.shape")).to_have_count(1)
    expect(svg.locator("rect.bar.retry.shape")).to_have_count(1)
    expect(svg.locator("g.mark.refund")).to_have_count(1)
    expect(svg.locator("circle.dot.taken")).to_have_count(1)
    expect(svg.locator("g.mark.upgrade")).to_have_count(1)
    expect(svg.locator("g.mark.off")).to_have_count(1)
    paid = svg.locator("g.item", has=page.locator("rect.paid"))
    periods = [each for each in store.transactions("ada@example.com") if "expiresDate" in each and "offerType" not in each]
    expect(paid).to_have_count(len(periods))
    # The failed renewal: paid until its end, then grace, then retry, then paid again.
    monthly = paid.filter(has_text="almanac.monthly")
    grace, retry = box(svg.locator("rect.bar.grace.shape")), box(svg.locator("rect.bar.retry.shape"))
    ends = [box(monthly.nth(index)) for index in range(monthly.count())]
    assert any(abs(end - grace[0]) < 3 for _, end in ends), f"no paid period ends where the grace period begins: {ends}, {grace}"
    assert abs(grace[1] - retry[0]) < 3, f"billing retry does not follow the grace period: {grace}, {retry}"
    assert any(abs(begin - retry[1]) < 3 for begin, _ in ends), f"nothing is paid where the retry ends: {ends}, {retry}"
    # The hand stands at the store's now, among ticks that do not run into one another.
    hand = box(svg.locator("g.hand line"))[0]
    assert any(begin < hand < end for begin, end in [box(svg.locator("g.item", has_text="almanac.yearly").locator("rect.paid"))])
    assert svg.locator("g.hand").get_attribute("data-now")[:16] == page.locator("#clock-now").inner_text()[:16]
    ticks = [box(svg.locator("text.tick").nth(index)) for index in range(svg.locator("text.tick").count())]
    assert 4 <= len(ticks) <= 14 and all(a[1] < b[0] for a, b in zip(ticks, ticks[1:])), f"{ticks}"
    page.get_by_role("button", name="Quarter").click()
    assert svg.locator("rect.bar.grace.shape").count() == 0, "a quarter does not reach back to the grace period"
    page.get_by_role("button", name="Everything").click()
    # Details on hover, and the signed text, taken apart, on a click.
    svg.locator("g.item", has=page.locator("rect.grace")).hover()
    expect(page.locator(".told")).to_contain_text("Grace period")
    page.locator("tbody button.link").first.click()
    page.get_by_role("tab", name="Signed data").click()
    page.get_by_role("tab", name="JSON").click()
    expect(page.locator("dialog .code")).to_contain_text('"bundleId": "com.example.garden"')
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def subscription(room):
    page = room.go("customers/ada%40example.com")
    card = page.locator("article.subscription", has_text="Almanac, yearly")
    card.get_by_role("button", name="Switch renewal off").click()
    expect(card).to_contain_text("Will not renew")
    expect(page.locator("svg.timeline-svg g.mark.off")).to_have_count(2)
    card.get_by_role("button", name="Switch renewal on").click()
    expect(card.get_by_role("button", name="Switch renewal off")).to_be_focused()
    page.get_by_role("button", name="Reverse the refund of").last.click()
    expect(page.locator("svg.timeline-svg circle.dot.taken")).to_have_count(0)


def buying(room):
    page = room.go("customers/grace%40example.com")
    page.get_by_role("button", name="Buy…").click()
    page.get_by_label("Product", exact=True).select_option(f"{SHOP}shed|")
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("svg.timeline-svg circle.dot")).to_have_count(1)
    expect(page.locator("tbody tr").first).to_contain_text("shed")


def approval(room):
    page = room.go("waiting")
    before = len(store.transactions("tove@example.com"))
    expect(page.locator("[data-count=waiting]")).to_have_text("3")
    page.get_by_role("button", name=re.compile("^Approve .*greenhouse for tove")).click()
    expect(page.get_by_text("No child waits for a parent.")).to_be_visible()
    assert len(store.transactions("tove@example.com")) == before + 1
    page.get_by_role("button", name=re.compile("^Let it go on")).click()
    expect(page.get_by_text("No purchase is interrupted.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Decline the refund")).click()
    expect(page.get_by_text("Nobody asks for money back.")).to_be_visible()
    expect(page.locator("[data-count=waiting]")).to_be_empty()


def clock(room):
    page = room.go("clock")
    now = lambda: store.control("clock")["now"]
    before = now()
    page.get_by_role("button", name="Move the clock on by a week").click()
    expect(page.locator("#clock-now")).to_contain_text(time.strftime("%Y-%m-%d", time.gmtime(before / 1000 + 7 * DAY)))
    assert 0 <= now() - before - 7 * DAY * 1000 < 60_000
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#clock-speed")).to_have_text("stopped")
    stands = now()
    assert page.locator("#clock-now").inner_text() == time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(stands // 1000))
    there = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(stands // 1000 + 3 * DAY))
    page.get_by_label("Date and time, UTC").fill(there)
    page.get_by_role("button", name="Jump").click()
    expect(page.locator("#clock-now")).to_have_text(there.replace("T", " "))
    page.get_by_role("button", name="Real time").click()
    expect(page.locator("#clock-speed")).to_have_text("real time")


def fault(room):
    page = room.go("faults")
    page.locator("[data-fault=verifyReceiptStatus]").get_by_label("Status", exact=True).fill("21009")
    page.get_by_role("button", name="Switch on: Status (verifyReceipt)").click()
    expect(page.locator(".on-list li")).to_contain_text("21009")
    answer = store.call("sandbox/verifyReceipt", {"receipt-data": "AAAA"})
    assert answer["status"] == 21009, answer
    expect(page.locator("[data-count=faults]")).to_have_text("1")
    page.get_by_role("button", name="Switch off: Status (verifyReceipt)").click()
    expect(page.get_by_text("Everything works as it should.")).to_be_visible()
    assert store.control("faults")["faults"] == []
    assert store.call("sandbox/verifyReceipt", {"receipt-data": "AAAA"})["status"] != 21009


def notifications(room):
    page = room.go("notifications")
    count = len(store.control("notifications")["deliveries"])
    page.get_by_role("button", name="Cause one…").click()
    page.get_by_label("Kind").select_option("DID_RENEW|BILLING_RECOVERY")
    page.get_by_role("button", name="Let it happen").click()
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("DID_RENEW, BILLING_RECOVERY")
    assert len(store.control("notifications")["deliveries"]) > count
    first.locator("button.link").click()
    expect(page.locator("dialog")).to_contain_text("notificationUUID")
    page.get_by_role("tab", name="Body").click()
    expect(page.locator("dialog")).to_contain_text("notificationType")
    # Nobody listened until now; somebody does when it is sent once more.
    with Receiver() as receiver:
        store.control("apps/com.example.garden", {"sandboxURL": receiver.url})
        page.get_by_role("button", name="Send once more").click()
        expect(page.locator(".notice.good", has_text="the server took it")).to_be_visible()
        assert any("signedPayload" in each for each in receiver.received)
    expect(first.locator(".badge")).to_have_text("delivered")


def refusal(room):
    page = room.go("customers")
    page.get_by_role("button", name="New customer…").click()
    page.get_by_label("Name to sign in with").fill("ada@example.com")
    page.get_by_label("Password").fill("another")
    page.get_by_role("button", name="Open the account").click()
    expect(page.locator("dialog .refusal")).to_have_text("There is an account of that name with other data; choose another name.")
    page.keyboard.press("Escape")


def hostile(room):
    name = '<img src=x onerror="document.title=1">'
    store.open(name)
    page = room.go("customers")
    expect(page.get_by_role("link", name=name)).to_be_visible()
    page.get_by_role("link", name=name).click()
    expect(page.locator("main h1")).to_have_text(name)
    assert page.locator("main img").count() == 0


def many(room):
    with open(os.path.join(os.path.dirname(__file__), "garden.storekit"), encoding="utf-8") as file:
        store.call("stores?name=many", json.load(file))
    weekly = Store(told["url"] + "/stores/many")
    weekly.open("old@example.com")
    weekly.buy("old@example.com", "weather.weekly")
    weekly.advance(3650)
    began = time.monotonic()
    page = room.go("customers/old%40example.com", base=weekly.base)
    expect(page.get_by_role("tab", name="Transactions 522")).to_be_visible()
    assert time.monotonic() - began < 5, "a customer with 500 transactions takes too long"
    expect(page.locator("tbody tr")).to_have_count(60)
    page.get_by_role("button", name="Show 60 more").click()
    expect(page.locator("tbody tr")).to_have_count(120)
    page = room.go("live", base=weekly.base)
    expect(page.locator("tbody tr")).to_have_count(200)
    page.get_by_role("button", name="Earlier").click()
    expect(page.locator("tbody tr")).to_have_count(400)


def stores(room):
    page = room.go("stores")
    page.get_by_role("button", name="New store…").click()
    page.get_by_label("Name").fill("further")
    page.get_by_role("button", name="Make the store").click()
    page.locator("[data-store=further] a").click()
    expect(page).to_have_url(f"{told['url']}/stores/further/console/")
    expect(page.locator("#stores")).to_have_value("further")
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()
    page.locator("#stores").select_option("default")
    expect(page).to_have_url(f"{told['url']}/console/")
    page.locator("[data-section=stores]").click()
    page.get_by_role("button", name="Remove further").click()
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("[data-store=further]")).to_have_count(0)


def keyboard(room):
    page = room.page
    page.goto(told["url"] + "/")  # A browser is led to the page.
    expect(page).to_have_url(f"{told['url']}/console/")
    expect(page.locator("main h1")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#stores")).to_be_focused()
    for _ in range(6):
        page.keyboard.press("Tab")
    expect(page.locator("[data-section=customers]")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is not seen"
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("Customers")
    page.get_by_role("link", name="ada@example.com").focus()
    page.keyboard.press("Enter")
    expect(page.locator("svg.timeline-svg")).to_be_visible()
    # One stop for the picture; arrows walk in it.
    assert page.locator("svg.timeline-svg [tabindex='0']").count() == 1
    page.locator("svg.timeline-svg [tabindex='0']").focus()
    said = []
    for key in ["ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight"]:
        page.keyboard.press(key)
        said.append(page.locator(".told").inner_text())
    assert len(set(said)) >= 3 and all("to " in each or "20" in each for each in said), said
    page.keyboard.press("Enter")
    expect(page.locator("dialog h2")).to_contain_text("Transaction")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('svg.timeline-svg') !== null"), "the focus was lost"
    page.get_by_role("tab", name="Transactions").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Charges")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_contain_text("Paid in all")


def phone(room):
    for section in [*SECTIONS, "customers/ada%40example.com", "customers/kurt%40example.com"]:
        page = room.go(section)
        page.wait_for_timeout(150)
        sideways = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert sideways <= 0, f"{section} scrolls sideways by {sideways}"
        # What is cut off is lost as well: nothing may stand out of its table.
        out = page.evaluate("[...document.querySelectorAll('main *')].filter((each) => !each.closest('svg, thead')"
                            " && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.className || each.tagName)")
        assert out == [], f"{section}: {out[:5]}"


LUMINANCE = """(name) => {
    const parts = getComputedStyle(document.querySelector(name[0]))[name[1]].match(/[0-9.]+/g).slice(0, 3)
        .map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}"""


def dark(room):
    page = room.go("customers/ada%40example.com")
    expect(page.locator("svg.timeline-svg rect.paid").first).to_be_visible()
    light = lambda *name: page.evaluate(LUMINANCE, list(name))
    ground, text = light("body", "backgroundColor"), light("body", "color")
    assert ground < 0.05, f"the ground is not dark: {ground}"
    assert (text + 0.05) / (ground + 0.05) >= 7, "text does not stand out"
    card, quiet, bar = light(".card", "backgroundColor"), light(".note", "color"), light("rect.paid", "fill")
    assert (quiet + 0.05) / (card + 0.05) >= 4.5, "quiet text does not stand out"
    assert (bar + 0.05) / (card + 0.05) >= 3, "bars do not stand out"


def token(room):
    page = room.page
    answer = page.goto(f"{told['guarded']}/console/")
    assert answer.status == 401, answer.status
    room.complaints.clear()
    page.goto(f"{told['guarded']}/console?token={told['token']}")
    expect(page).to_have_url(f"{told['guarded']}/console/")
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()
    assert page.evaluate("document.cookie") == "", "a script can read the cookie"
    page.reload()
    expect(page.locator("#clock-now")).to_contain_text("20")


def silence(rooms):
    for room in rooms:
        room.complaints += [f"policy: {each}" for each in room.page.evaluate("window.violations ?? []")]
        assert room.complaints == [], room.complaints


def check(name, work, argument):
    began = time.monotonic()
    try:
        work(argument)
        ok, detail = True, f"{time.monotonic() - began:.1f} s"
    except Exception as error:
        ok, detail = False, "".join(traceback.format_exception(error))[-1500:]
        folder = os.environ.get("SHOTS")
        if folder and isinstance(argument, Room):
            argument.page.screenshot(path=f"{folder}/failed-{name}.png")
    print(json.dumps({"check": name, "ok": ok, "detail": detail}), flush=True)


year(store)
waiting(store)
with sync_playwright() as playwright:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    # Its own sandbox needs rights that a container does not have; the pages are ours.
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
    desk = Room(browser, viewport={"width": 1280, "height": 900})
    for work in [live, time_line, approval, subscription, buying, clock, fault, notifications, refusal, hostile, stores, many, keyboard]:
        check(work.__name__, work, desk)
    hand = Room(browser, viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
    check("phone", phone, hand)
    night = Room(browser, viewport={"width": 1280, "height": 900}, color_scheme="dark")
    check("dark", dark, night)
    guarded = Room(browser, viewport={"width": 1280, "height": 900})
    check("token", token, guarded)
    check("silence", silence, [desk, hand, night, guarded])
    browser.close()
