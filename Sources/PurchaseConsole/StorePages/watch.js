// The store's clock and what happens in it, for every section to watch.

import { get, streamAddress, optional, identity } from "./api.js";
import { kinds } from "./words.js";

let reading = { now: 0, factor: 0, timeRate: 0, at: 0 };

/** Now, as the store sees it: read once, then reckoned by its speed. */
export function now() {
    return reading.now + (performance.now() - reading.at) * reading.factor;
}

export const clock = () => reading;

export function setClock(reply) {
    reading = { ...reply, at: performance.now() };
}

export async function readClock() {
    setClock(await get`clock`);
}

const memory = 2_000;
/** The events that are known, newest first. */
export const events = [];
let oldest;
let watchers = new Set();

/** Whether there may be events before those that are known. */
export const hasEarlier = () => oldest === undefined || oldest > 1;

/** Reads events before those that are known; returns those that it found, newest first. */
export async function earlier(limit = 200) {
    const before = oldest ?? Number.MAX_SAFE_INTEGER;
    const found = (await get`events?before=${before}&limit=${limit}`).events.reverse();
    events.push(...found);
    oldest = found.length < limit ? 1 : found.at(-1).id;
    return found;
}

/** Calls back with the news, newest first, in one go for all that came at once; returns how to stop. */
export function watch(callback) {
    watchers.add(callback);
    return () => watchers.delete(callback);
}

let waiting = [];
function tell() {
    const news = waiting.reverse();
    waiting = [];
    for (const watcher of [...watchers]) watcher(news);
}

/**
 * Follows what happens from now on; a lost connection is taken up again where it was lost.
 *
 * `known` is the store's identity. `onstate(isThere, sentence)` is told when it is lost and found. A store that was kept in memory is
 * another one after a restart: then the page begins anew.
 */
export function follow(known, onstate) {
    listen(async () => {
        if (await identity() !== known) location.reload();
        else onstate(true);
    }, onstate);
}

const pause = 2_000;

function listen(onopen, onstate) {
    const source = new EventSource(streamAddress(events[0]?.id ?? 0));
    const receive = (message) => {
        const event = JSON.parse(message.data);
        if (events[0] && event.id <= events[0].id) return;
        events.unshift(event);
        if (events.length > memory) {
            events.length = memory;
            oldest = events.at(-1).id;
        }
        if (waiting.push(event) === 1) setTimeout(tell, 60);
    };
    for (const kind of Object.keys(kinds)) source.addEventListener(kind, receive);
    source.onopen = () => onopen().catch((error) => {
        onstate(false, error.message);
        if (source.readyState === EventSource.OPEN) setTimeout(source.onopen, pause);
    });
    source.onerror = async () => {
        onstate(false, "The store does not answer; trying again. What is shown may be old.");
        // A browser tries again by itself, but not when it was answered with something that is no stream.
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(() => listen(onopen, onstate), pause);
        await get`clock`.catch((error) => { if (error.status !== 0) onstate(false, error.message); });
    };
}

/** All that is known of one account, newest first, as far as it matters for a picture. */
export async function eventsOf(account) {
    const found = await optional(get`events?before=${Number.MAX_SAFE_INTEGER}&account=${account}&limit=1000`);
    return (found?.events ?? []).reverse();
}
