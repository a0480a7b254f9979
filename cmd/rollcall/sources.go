package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/ingest"
	"rollcall/internal/author"
	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/models/store"
)

// sourcesCmd groups the commands about sources of records: their documents, their schedules, and what an
// operator does when a source is held. A source is one YAML document (docs/sources.md). It comes from the
// program, from the directory sources below the data directory, or from a file that the command names.
type sourcesCmd struct {
	List    sourcesListCmd    `cmd:"" help:"List the sources: shipped, your own, and those that ever ran."`
	Check   author.Check      `cmd:"" help:"Check a source document, and show what it makes of samples."`
	Enable  sourcesEnableCmd  `cmd:"" help:"Let a source run on its schedule; a document of your own is kept in the data directory."`
	Disable sourcesDisableCmd `cmd:"" help:"Stop the schedule of a source."`
	Show    sourcesShowCmd    `cmd:"" help:"Show how a source is doing, and for a held one what its held snapshot would do: who would be released."`
	Hold    sourcesHoldCmd    `cmd:"" help:"Stop a source: what it brings is kept and not applied, until you release it."`
	Retire  sourcesRetireCmd  `cmd:"" help:"Note that a source, or one county of it, reports no more: its records stay, and no answer waits for it."`
	Accept  sourcesAcceptCmd  `cmd:"" help:"Take the columns of the next snapshot for the known ones, after you looked at what changed."`
	Heal    sourcesHealCmd    `cmd:"" help:"After the clock of this machine was wrong: take back what a source knows of the future."`
	Release sourcesReleaseCmd `cmd:"" help:"Let a held source go on, after you looked at it: exactly the snapshot that began the hold is applied."`
	Undo    sourcesUndoCmd    `cmd:"" help:"Take back a release that is not applied yet (sources release --undo)."`
}

// sourcesListCmd lists every source that has a document or ever ran.
type sourcesListCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// sourceJSON is a source as --json prints it, or one county of a source whose rows name theirs. Null means that
// the source never ran or that nothing is known.
type sourceJSON struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Kind is roster, courts or corrections.
	Kind string `json:"kind"`
	// County is a slug; null for a source of several counties and for a statewide one.
	County *string `json:"county"`
	// Enabled means that the jobs read the source on its schedule. A new source is disabled (DECISIONS.md,
	// Running).
	Enabled bool `json:"enabled"`
	// State is ok, late, down, held or refused (docs/operations.md, What to watch), or retired.
	State       *string    `json:"state"`
	LastSuccess *time.Time `json:"last_success"`
	// Note is the cause of the state, for operators.
	Note *string `json:"note"`
}

// Run prints the sources by id.
func (c *sourcesListCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	list, err := sourceList(ctx, app, store)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(list)
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tKIND\tCOUNTY\tENABLED\tSTATE\tLAST SUCCESS\tTITLE"); err != nil {
		return err
	}
	for _, s := range list {
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%v\t%s\t%s\t%s\n", s.ID, s.Kind, cell.Text(s.County), s.Enabled, cell.Text(s.State), cell.Time(s.LastSuccess), s.Title)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// sourceList joins the documents with what the database knows of their sources, sorted by id. The database wins
// where both know a value: it holds the document that was read last. A document with mistakes is listed by its
// id alone, so that one bad file does not hide the others.
func sourceList(ctx context.Context, a *service.App, store *store.Store) ([]sourceJSON, error) {
	known, err := store.SourcesByID(ctx)
	if err != nil {
		return nil, err
	}
	ids := ingest.Shipped()
	own, err := filepath.Glob(filepath.Join(a.DataDir, "sources", "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("list source documents: %w", err)
	}
	for _, file := range own {
		ids = append(ids, strings.TrimSuffix(filepath.Base(file), ".yaml"))
	}
	// A source that ran once is listed even if its document is gone.
	for id := range known {
		ids = append(ids, id)
	}
	list := []sourceJSON{}
	for _, id := range sortedSet(ids) {
		s := sourceJSON{ID: id}
		if doc, err := a.Document(id); err == nil {
			s.Title, s.Kind = doc.Title, doc.Kind
			if doc.County != "" {
				s.County = &doc.County
			}
		}
		if k := known[id]; k != nil {
			state := string(k.State())
			if k.RetiredAt != nil {
				state = "retired"
			}
			s.Title, s.Kind, s.Enabled, s.State, s.LastSuccess, s.Note = k.Title, k.Kind, k.Enabled, &state, k.LastSuccess, k.Note
			if k.County != nil {
				s.County = &k.County.Slug
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// sourcesEnableCmd switches on the schedule of a source.
type sourcesEnableCmd struct {
	Source string `arg:"" help:"Id of a source, or a source document (YAML file)."`
}

// Run stores the document and switches the schedule on. Running jobs notice it within seconds. Shipped sources
// do nothing before, so that a new installation never asks a live site unasked.
func (c *sourcesEnableCmd) Run(ctx context.Context, app *service.App) error {
	source, err := app.Document(c.Source)
	if err != nil {
		return err
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := keepDocument(app, source.ID, c.Source); err != nil {
		return err
	}
	// The source is stored before its schedule begins: the jobs need a row to write their state to.
	e, err := source.Entry(store.Counties())
	if err != nil {
		return err
	}
	if _, err := store.PutSource(ctx, e); err != nil {
		return err
	}
	if err := store.EnableSource(ctx, source.ID, true); err != nil {
		return err
	}
	when := "it runs every " + source.Schedule.Every.String()
	switch {
	case source.Schedule.Every > 0:
	case source.Transport.Drops():
		when = fmt.Sprintf("it has no schedule: read it with rollcall ingest --source %s; it is late when it has no newer data for %s",
			source.ID, 2*source.Schedule.Data)
	default:
		when = "it has no schedule: bring its files with rollcall ingest"
	}
	_, err = fmt.Fprintf(app.Stdout, "Enabled %s; %s.\n", source.ID, when)
	return err
}

// keepDocument copies an operator's own document into the data directory, where the jobs find it by its id. A
// shipped source that is named by its id has no file and needs no copy.
func keepDocument(a *service.App, id, file string) error {
	data, err := os.ReadFile(file) //nolint:gosec // the operator names the file
	if errors.Is(err, fs.ErrNotExist) {
		return nil // known by its id
	}
	if err != nil {
		return fmt.Errorf("read source document: %w", err)
	}
	dir := filepath.Join(a.DataDir, "sources")
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the database user passes through
		return fmt.Errorf("keep source document: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, id+".yaml"), data, 0o600); err != nil { //nolint:gosec // an id is a slug, checked when the document is read
		return fmt.Errorf("keep source document: %w", err)
	}
	return nil
}

// sourcesDisableCmd switches off the schedule of a source. Its records stay, and it can still be read by hand.
type sourcesDisableCmd struct {
	ID string `arg:"" help:"Id of a source."`
}

// Run switches the schedule off. A run in progress is finished.
func (c *sourcesDisableCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.EnableSource(ctx, c.ID, false); err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stdout, "Disabled %s.\n", c.ID)
	return err
}

// sortedSet sorts the words in place and removes duplicates.
func sortedSet(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
