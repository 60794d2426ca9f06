"""Opens the console of a store in Chromium and checks it with mouse and keyboard.

The environment variable STORE has the URLs of the stores. Each check prints one line of JSON: {"check": …, "ok": …, "detail": …}. A failed
check writes a screenshot to the folder in the environment variable SHOTS, if it is set.
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
import console_lookup as lookup
import console_sections as sections
from console_window import Window, store
from scenarios import waiting, year


printing = threading.Lock()


def check(name, work, window, *more):
    began = time.monotonic()
    try:
        work(window, *more)
        ok, detail = True, f"{time.monotonic() - began:.1f} s"
    except Exception as error:
        # The end of a long message is a picture of the page in text.
        ok, detail = False, "".join(traceback.format_exception(error))[:4000]
        folder = os.environ.get("SHOTS")
        if folder:
            window.page.screenshot(path=f"{folder}/failed-{name}.png")
    with printing:
        print(json.dumps({"check": name, "ok": ok, "detail": detail}), flush=True)
    return window


def prepare():
    year(store)
    waiting(store)


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        # Chromium's sandbox needs permissions that a container does not have. The opened pages are trusted.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


def main_window(is_prepared):
    """Runs the checks that use the store in a desktop window."""
    with chromium() as browser:
        window = Window(browser)
        for work in [frame.hostile, frame.stores]:
            check(work.__name__, work, window)
        is_prepared.result()
        for work in [
            sections.live, sections.happenings, sections.presses, sections.timeline, lookup.states, lookup.rows, lookup.search, lookup.customers,
            sections.approval, sections.subscription, sections.buying, sections.accounts,
            sections.devices, sections.catalog, sections.clock, sections.fault, sections.notifications, lookup.verification, sections.requests, sections.refusal, frame.keyboard, frame.reach,
            frame.contrast,
        ]:
            check(work.__name__, work, window)
        check("silence", frame.silence, window)


def other_windows(is_prepared):
    """Runs the checks with other windows and other access rights at the same time."""
    with chromium() as browser:
        windows = [check("token", frame.token, Window(browser, expects=("status of 401",)))]
        weekly = frame.prepare_many()
        windows.append(check("many", frame.many, Window(browser), weekly))
        windows.append(check("lost", frame.lost, Window(browser, expects=("net::ERR_", "/events/stream")), weekly))
        is_prepared.result()
        windows.append(check("links", lookup.links, Window(browser, expects=("status of 404",))))
        phone = Window(browser, viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
        windows.append(check("phone", frame.phone, phone))
        windows.append(check("dark", frame.dark, Window(browser, color_scheme="dark")))
        for window in windows:
            check("silence elsewhere", frame.silence, window)


with ThreadPoolExecutor() as pool:
    is_prepared = pool.submit(prepare)
    for each in [pool.submit(main_window, is_prepared), pool.submit(other_windows, is_prepared)]:
        each.result()
