"""Opens the page of a store in Chromium and works with it as people do.

Told where by STORE in the environment; prints one line of JSON for each check: {"check": …, "ok": …, "detail": …}. Where SHOTS
names a folder, a check that fails leaves a picture there.
"""

import contextlib
import json
import os
import shutil
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import sync_playwright

import console_frame as frame
import console_sections as sections
from console_room import Room, store
from story import waiting, year


printing = threading.Lock()


def check(name, work, room, *more):
    began = time.monotonic()
    try:
        work(room, *more)
        ok, detail = True, f"{time.monotonic() - began:.1f} s"
    except Exception as error:
        ok, detail = False, "".join(traceback.format_exception(error))[-1500:]
        folder = os.environ.get("SHOTS")
        if folder:
            room.page.screenshot(path=f"{folder}/failed-{name}.png")
    with printing:
        print(json.dumps({"check": name, "ok": ok, "detail": detail}), flush=True)
    return room


def tell():
    year(store)
    waiting(store)


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        # Its own sandbox needs rights that a container does not have; the pages are ours.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


def desk(is_told):
    """Somebody at a desk, who works with the store."""
    with chromium() as browser:
        room = Room(browser)
        for work in [frame.hostile, frame.stores]:
            check(work.__name__, work, room)
        is_told.result()
        for work in [
            sections.live, sections.time_line, sections.approval, sections.subscription, sections.buying, sections.people,
            sections.catalog, sections.clock, sections.fault, sections.notifications, sections.refusal, frame.keyboard, frame.reach,
            frame.contrast,
        ]:
            check(work.__name__, work, room)
        check("silence", frame.silence, room)


def elsewhere(is_told):
    """Others, who look at it meanwhile, with other windows and other rights."""
    with chromium() as browser:
        rooms = [check("token", frame.token, Room(browser, expects=("status of 401",)))]
        weekly = frame.prepare_many()
        rooms.append(check("many", frame.many, Room(browser), weekly))
        rooms.append(check("lost", frame.lost, Room(browser, expects=("net::ERR_", "/events/stream")), weekly))
        is_told.result()
        hand = Room(browser, viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
        rooms.append(check("phone", frame.phone, hand))
        rooms.append(check("dark", frame.dark, Room(browser, color_scheme="dark")))
        for room in rooms:
            check("silence elsewhere", frame.silence, room)


with ThreadPoolExecutor() as people:
    is_told = people.submit(tell)
    for each in [people.submit(desk, is_told), people.submit(elsewhere, is_told)]:
        each.result()
