// A headless Chromium that can reach this machine only.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Gives { page, close }. */
export async function openBrowser(rig, profile) {
    const { chromium } = createRequire(join(rig, 'package.json'))('playwright-core');
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: CHROMIUM,
        headless: true,
        viewport: { width: 1280, height: 800 },
        chromiumSandbox: false,
        args: [
            '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--disable-extensions', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        ],
    });
    return { page: context.pages()[0] ?? (await context.newPage()), close: () => context.close() };
}
