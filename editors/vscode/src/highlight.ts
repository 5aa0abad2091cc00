// Highlights what the lines of a view are made of, and what a part of the source becomes: both at the cursor, in both texts.
import * as vscode from 'vscode';
import { partsOf, SCHEME } from './address';
import { ofLine, ofPoint, type Part, type Place } from './places';
import type { Views } from './views';

/** A view on the screen, and its places at the cursor. */
interface Lit {
    view: string;
    source: string | undefined;
    places: Place[];
}

export class Highlights implements vscode.Disposable {
    private readonly lines = vscode.window.createTextEditorDecorationType({ ...STYLE, isWholeLine: true });
    private readonly parts = vscode.window.createTextEditorDecorationType(STYLE);
    private readonly watch: vscode.Disposable;

    constructor(private readonly views: Views) {
        const show = () => this.show();
        this.watch = vscode.Disposable.from(
            views.onDidAnswer(show),
            vscode.window.onDidChangeTextEditorSelection(show),
            vscode.window.onDidChangeVisibleTextEditors(show),
            vscode.window.onDidChangeActiveTextEditor(show),
            vscode.workspace.onDidChangeTextDocument(show),
        );
    }

    dispose(): void {
        vscode.Disposable.from(this.watch, this.lines, this.parts).dispose();
    }

    private show(): void {
        const lit = this.lit();
        for (const editor of vscode.window.visibleTextEditors) {
            const uri = editor.document.uri.toString();
            editor.setDecorations(this.lines, lit.filter(({ view }) => view === uri).flatMap(({ places }) => places.map(linesOf)));
            editor.setDecorations(this.parts, lit.filter(({ source }) => source === uri).flatMap(({ places }) => places.map(partOf)));
        }
    }

    private lit(): Lit[] {
        const active = vscode.window.activeTextEditor;
        const shown = vscode.window.visibleTextEditors.map((editor) => editor.document.uri).filter(({ scheme }) => scheme === SCHEME);
        return active ? shown.map((view) => this.litBy(active, view)) : [];
    }

    /** The places of a stale view are of an older source. */
    private litBy({ document, selection }: vscode.TextEditor, view: vscode.Uri): Lit {
        const [name, source, content] = [view.toString(), partsOf(view)?.source, this.views.content(view)];
        const places = content && !content.stale ? content.places : [];
        switch (document.uri.toString()) {
            case name:
                return { view: name, source, places: ofLine(places, selection.active.line) };
            case source:
                return { view: name, source, places: ofPoint(places, selection.active) };
            default:
                return { view: name, source, places: [] };
        }
    }
}

const STYLE: vscode.DecorationRenderOptions = {
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.wordHighlightForeground'),
};

function linesOf({ lines: [first, last] }: Place): vscode.Range {
    return new vscode.Range(first, 0, last, 0);
}

function partOf({ range: { start, end } }: { range: Part }): vscode.Range {
    return new vscode.Range(start.line, start.character, end.line, end.character);
}
