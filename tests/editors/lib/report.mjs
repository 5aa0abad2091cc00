// One line a check: "ok NAME" or "not ok NAME: why". A check passes when its function does not throw.
let failed = 0;

export async function check(name, run) {
    try {
        await run();
        console.log(`ok ${name}`);
    } catch (reason) {
        failed += 1;
        console.log(`not ok ${name}: ${String(reason.message).replace(/\s*\n\s*/g, ' | ')}`);
    }
}

/** 0 when every check so far passed, else 1. */
export function status() {
    return failed === 0 ? 0 : 1;
}

/** Waits until `probe` gives something truthy, and gives that back. */
export async function until(what, probe, ms = 60_000) {
    for (const start = Date.now(); Date.now() - start < ms; ) {
        const value = await probe();
        if (value) {
            return value;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`waited ${ms / 1000} s in vain for ${what}`);
}
