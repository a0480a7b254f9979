package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rollcall/ingest"
	"rollcall/ingest/document"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/web/operate"
)

// documents lets operators read, check and change source documents on a page.
type documents struct {
	app   *App
	store *store.Store
}

// own returns where an operator's document of a source lies. Base keeps an id such as ../../x inside the directory.
func (d documents) own(id string) string {
	return filepath.Join(d.app.DataDir, "sources", filepath.Base(id)+".yaml")
}

// text returns the document that is in force, as FindSource finds it, and whether it is an operator's own.
func (d documents) text(id string) (text string, own bool, err error) {
	data, err := os.ReadFile(d.own(id))
	if own = err == nil; !own {
		if !errors.Is(err, fs.ErrNotExist) {
			return "", false, fmt.Errorf("read source document: %w", err)
		}
		data, err = ingest.DocumentText(filepath.Base(id))
	}
	return string(data), own, err
}

// Read implements operate.Documents.
func (d documents) Read(_ context.Context, id string) (*operate.Document, error) {
	text, own, err := d.text(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, models.NotFound("there is no document of this source in the data directory, and none is shipped with rollcall")
	}
	if err != nil {
		return nil, err
	}
	return &operate.Document{
		Text: text, Own: own, Digest: source.DocumentDigest(text), Hidden: ingest.Credentials(text), Writable: d.writable(),
	}, nil
}

// writable reports whether documents can be saved in the data directory.
func (d documents) writable() bool {
	dir := filepath.Dir(d.own("x"))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	f, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return false
	}
	_ = f.Close() // nothing was written
	return os.Remove(f.Name()) == nil
}

// Check implements operate.Documents: it finds what `rollcall sources check` finds.
func (d documents) Check(src *models.Source, text string) ([]operate.DocumentMistake, error) {
	draft, err := ingest.DraftOf([]byte(text), d.store.Counties())
	if err != nil {
		says, m := strings.TrimPrefix(err.Error(), "read YAML: yaml: "), operate.DocumentMistake{Line: document.Broken([]byte(text))}
		var theirs int
		if _, err := fmt.Sscanf(says, "line %d:", &theirs); err == nil {
			_, says, _ = strings.Cut(says, ": ")
		}
		if m.Says = says; m.Line == 0 { // not the text is broken, but what it says
			m.Line = theirs
		}
		return []operate.DocumentMistake{m}, nil
	}
	var out []operate.DocumentMistake
	add := func(path, says string) {
		line, _ := document.Line([]byte(text), path)
		out = append(out, operate.DocumentMistake{Line: line, Path: path, Says: says})
	}
	for _, m := range draft.Mistakes {
		add(m.Path, m.Text)
	}
	if draft.Source.ID != src.ID {
		add("id", "the id of this source is "+src.ID+", and stays so")
	}
	if draft.Source.Kind != "" && draft.Source.Kind != src.Kind {
		add("kind", "this source has records of kind "+src.Kind+"; a document of another kind needs another id")
	}
	for _, line := range ingest.Credentials(text) {
		out = append(out, operate.DocumentMistake{Line: line, Says: "this line seems to hold a credential: these come from the environment, never from the document"})
	}
	return out, nil
}

// Line implements operate.Documents. Reasons name a field as it stands below fields, or a place such as identity.booking.
func (d documents) Line(text, field string) int {
	for _, path := range []string{"fields." + field, field} {
		if line, exact := document.Line([]byte(text), path); exact {
			return line
		}
	}
	return 0
}

// Save implements operate.Documents. The file is replaced at once: a run reads the old document or the new one, whole.
func (d documents) Save(ctx context.Context, id, actor, text, found string) error {
	return d.store.SaveDocument(ctx, source.Document{SourceID: id, Actor: actor, Text: text}, found,
		func() (string, error) {
			now, _, err := d.text(id)
			if err == nil && len(ingest.Credentials(now)) > 0 { // its history would keep them
				err = models.Invalid("text", "the current document may contain a credential; remove it on the server first. Nothing was changed")
			}
			return now, err
		},
		func() error { return replaceFile(d.own(id), text) })
}

// replaceFile writes a file beside the old one and puts it in its place.
func replaceFile(name, text string) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("save document: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".document-*")
	if err != nil {
		return fmt.Errorf("save document: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // what failed is reported
		}
	}()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Chmod(0o600), f.Close()); err != nil {
		return fmt.Errorf("save document: %w", err)
	}
	return os.Rename(f.Name(), name)
}
