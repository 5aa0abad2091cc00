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
    private types = typesOf(vscode.window.activeColorTheme);
    private readonly watch: vscode.Disposable;

    constructor(private readonly views: Views) {
        const show = () => this.show();
        this.watch = vscode.Disposable.from(
            views.onDidAnswer(show),
            vscode.window.onDidChangeTextEditorSelection(show),
            vscode.window.onDidChangeVisibleTextEditors(show),
            vscode.window.onDidChangeActiveTextEditor(show),
            vscode.workspace.onDidChangeTextDocument(show),
            vscode.window.onDidChangeActiveColorTheme((theme) => this.restyle(theme)),
        );
    }

    dispose(): void {
        vscode.Disposable.from(this.watch, ...this.types).dispose();
    }

    private restyle(theme: vscode.ColorTheme): void {
        vscode.Disposable.from(...this.types).dispose();
        this.types = typesOf(theme);
        this.show();
    }

    private show(): void {
        const lit = this.lit();
        const [lines, parts] = this.types;
        for (const editor of vscode.window.visibleTextEditors) {
            const uri = editor.document.uri.toString();
            editor.setDecorations(lines, lit.filter(({ view }) => view === uri).flatMap(({ places }) => places.map(linesOf)));
            editor.setDecorations(parts, lit.filter(({ source }) => source === uri).flatMap(({ places }) => places.map(partOf)));
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

/** For whole lines, and for parts of them. Themes of high contrast have borders in place of backgrounds. */
function typesOf({ kind }: vscode.ColorTheme): [vscode.TextEditorDecorationType, vscode.TextEditorDecorationType] {
    const contrast = kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
    const style = contrast ? { ...STYLE, border: '1px solid', borderColor: new vscode.ThemeColor('contrastActiveBorder') } : STYLE;
    const create = vscode.window.createTextEditorDecorationType;
    return [create({ ...style, isWholeLine: true }), create(style)];
}

function linesOf({ lines: [first, last] }: Place): vscode.Range {
    return new vscode.Range(first, 0, last, 0);
}

function partOf({ range: { start, end } }: { range: Part }): vscode.Range {
    return new vscode.Range(start.line, start.character, end.line, end.character);
}
