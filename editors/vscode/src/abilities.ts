// What the client announces beyond the protocol.
import type { ClientCapabilities, StaticFeature } from 'vscode-languageclient';
import { EXECUTE } from './execute';
import { OPEN_VIEW } from './open';
import { OPEN_STORAGE } from './storage';

/** The server offers lenses only for these commands. */
export const ABILITIES: StaticFeature = {
    fillClientCapabilities(capabilities: ClientCapabilities): void {
        capabilities.experimental = { ...capabilities.experimental, nnz: { commands: [OPEN_VIEW, EXECUTE, OPEN_STORAGE] } };
        // The library would show views too, as plain texts: then two would answer for one address.
        delete capabilities.workspace?.textDocumentContent;
    },
    initialize() {},
    getState: () => ({ kind: 'static' }),
    clear() {},
};
