package author

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"rollcall/internal/cell"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// Quarantine groups what operators see of rows that could not be read (docs/operations.md). After the source document was
// corrected, `rollcall ingest replay --quarantine SOURCE` reads them again.
type Quarantine struct {
	List quarantineList `cmd:"" help:"List the rows in quarantine, those of one source, county and reason in one line."`
	Show quarantineShow `cmd:"" help:"Show a row in quarantine with its raw text. It can name people who must not be published: for operators only."`
}

// quarantineList lists what waits in quarantine. It names nobody.
type quarantineList struct {
	Source string  `help:"Only rows of a source." placeholder:"ID"`
	County string  `help:"Only rows of a county; rows that do not say which are left out." placeholder:"SLUG"`
	Reason string  `help:"Only rows whose field or reason contains this text."`
	Since  Instant `help:"Only rows that came at this instant (RFC 3339) or later." placeholder:"2026-03-08T06:30:00-05:00"`
	Rows   bool    `help:"List the rows one by one, the latest first."`
	// Earlier lists what nobody has to look at any more.
	Earlier bool `help:"Only rows of earlier files: a newer complete file has replaced theirs, or it is no longer kept."`
	// Limit below 1 counts as 1. The number of those that are left out is printed.
	Limit int  `default:"100" help:"How many lines at most."`
	JSON  bool `name:"json" help:"Print JSON."`
}

// Run lists groups, or rows one by one. An unknown source or county is an error, as a typo must not read as an empty
// quarantine.
func (c *quarantineList) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	f, err := c.filter(ctx, store)
	if err != nil {
		return err
	}
	if c.Rows {
		return c.rows(ctx, app, store, f)
	}
	groups, rows, all, err := store.QuarantineGroups(ctx, f, max(c.Limit, 1))
	if err != nil {
		return err
	}
	if c.JSON {
		list := make([]groupJSON, 0, len(groups))
		for _, g := range groups {
			list = append(list, groupJSON{g.SourceID, slug(store, g.CountyID), field(g.Field), g.Reason, g.Rows, g.Times, g.First.UTC(), g.Last.UTC(), g.Example})
		}
		return app.PrintJSON(map[string]any{"rows": rows, "total": all, "groups": list})
	}
	if rows == 0 {
		_, err := fmt.Fprintln(app.Stdout, "No row is in quarantine.")
		return err
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ROWS\tSEEN\tLAST\tSOURCE\tCOUNTY\tEXAMPLE\tREASON") // Flush has the error
	for _, g := range groups {
		_, _ = fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\t%d\t%s\n", g.Rows, g.Times, cell.Time(&g.Last), g.SourceID, cell.Text(slug(store, g.CountyID)), g.Example, reason(g.Field, g.Reason))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	more := ""
	if n := all - len(groups); n > 0 {
		more = "; " + plural.Of(n, "more reason") + " not shown"
	}
	_, err = fmt.Fprintf(app.Stdout, "%s in quarantine%s. Show one with: rollcall quarantine show EXAMPLE\n", plural.Of(rows, "row"), more)
	return err
}

// filter reads the flags. The id of a scope stands for its source and county.
func (c *quarantineList) filter(ctx context.Context, store *store.Store) (f source.QuarantineFilter, err error) {
	of, county := models.SplitScope(c.Source)
	if c.County != "" {
		county = c.County
	}
	f = source.QuarantineFilter{Source: of, Reason: c.Reason, Since: time.Time(c.Since), Earlier: c.Earlier}
	if of != "" {
		known, err := store.SourcesByID(ctx)
		if err != nil {
			return f, err
		}
		if known[of] == nil {
			return f, models.NoSource(of)
		}
	}
	if county != "" {
		k, err := store.Counties().BySlug(county)
		if err != nil {
			return f, err
		}
		f.County = k.ID
	}
	return f, nil
}

// rows lists rows one by one.
func (c *quarantineList) rows(ctx context.Context, app *service.App, store *store.Store, f source.QuarantineFilter) error {
	rows, all, err := store.QuarantineRows(ctx, f, max(c.Limit, 1))
	if err != nil {
		return err
	}
	if c.JSON {
		list := make([]rowJSON, 0, len(rows))
		for i := range rows {
			list = append(list, rowOf(store, &rows[i]))
		}
		return app.PrintJSON(map[string]any{"total": all, "rows": list})
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ID\tRUN\tLINE\tSEEN\tLAST\tSOURCE\tCOUNTY\tREASON") // Flush has the error
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", r.ID, r.RunID, r.Line, r.Times, cell.Time(&r.LastAt), r.SourceID, cell.Text(slug(store, r.CountyID)), reason(r.Field, r.Reason))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if n := all - len(rows); n > 0 {
		_, err = fmt.Fprintf(app.Stdout, "and %d more\n", n)
	}
	return err
}

// groupJSON is a reason as --json prints it.
type groupJSON struct {
	Source string  `json:"source"`
	County *string `json:"county"` // null: not known
	Field  *string `json:"field"`  // null: the row as a whole
	Reason string  `json:"reason"`
	Rows   int     `json:"rows"`
	// Times is how often the rows came: one that stays wrong comes with every file.
	Times   int       `json:"times"`
	First   time.Time `json:"first_seen"`
	Last    time.Time `json:"last_seen"`
	Example int64     `json:"example"` // id of a row
}

// rowJSON is a row as --json prints it.
type rowJSON struct {
	ID      int64     `json:"id"`
	Source  string    `json:"source"`
	County  *string   `json:"county"` // null: not known
	Run     int64     `json:"run"`
	Line    int64     `json:"line"`
	Field   *string   `json:"field"` // null: the row as a whole
	Reason  string    `json:"reason"`
	Times   int       `json:"times"`
	First   time.Time `json:"first_seen"`
	Last    time.Time `json:"last_seen"`
	Expires time.Time `json:"expires_at"`
	// Resolved is when a replay could read the row; null: it waits.
	Resolved *time.Time `json:"resolved_at"`
}

func rowOf(store *store.Store, r *source.QuarantineEntry) rowJSON {
	out := rowJSON{
		ID: r.ID, Source: r.SourceID, County: slug(store, r.CountyID), Run: r.RunID, Line: r.Line, Field: field(r.Field), Reason: r.Reason,
		Times: r.Times, First: r.At.UTC(), Last: r.LastAt.UTC(), Expires: r.ExpiresAt.UTC(),
	}
	if r.ResolvedAt != nil {
		at := r.ResolvedAt.UTC()
		out.Resolved = &at
	}
	return out
}

// quarantineShow shows one row.
type quarantineShow struct {
	ID   int64 `arg:"" help:"Id of a row, as rollcall quarantine list shows it."`
	JSON bool  `name:"json" help:"Print JSON."`
}

// Run prints the row with its raw text. The log keeps that it was looked at, as the audit trail does for the page.
func (c *quarantineShow) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	row, err := store.QuarantineRow(ctx, c.ID)
	if models.CodeOf(err) == models.CodeNotFound {
		return fmt.Errorf("%w; list them with: rollcall quarantine list --rows", err)
	}
	if err != nil {
		return err
	}
	runner, err := app.Runner(store)
	if err != nil {
		return err
	}
	text, err := runner.RowText(row.SourceID, row.Encrypted)
	if err != nil {
		return fmt.Errorf("open row %d: %w", row.ID, err)
	}
	app.Log.InfoContext(ctx, "quarantined row looked at", "row", row.ID, "source", row.SourceID)
	shown := rowOf(store, row)
	if c.JSON {
		return app.PrintJSON(struct {
			rowJSON
			Text string `json:"text"`
		}{shown, text})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s\n  source %s  county %s  run %d  line %d\n  seen %s, last %s; kept until %s%s\n\n%s\n",
		reason(row.Field, row.Reason), row.SourceID, cell.Text(shown.County), row.RunID, row.Line, plural.Of(row.Times, "time"), cell.Time(&row.LastAt), cell.Time(&row.ExpiresAt), resolved(row), printable(text))
	return err
}

func resolved(r *source.QuarantineEntry) string {
	if r.ResolvedAt == nil {
		return ""
	}
	return "; resolved " + cell.Time(r.ResolvedAt)
}

// printable replaces control characters, which could change a terminal. Lines and tabs stay.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// slug returns the slug of a county, or nil for none.
func slug(store *store.Store, id *int16) *string {
	if id == nil {
		return nil
	}
	return &store.Counties().ByID(*id).Slug
}

// field returns the name of a field, or nil for the row as a whole.
func field(name string) *string { return models.NilIfEmpty(name) }

// reason joins the field, if there is one, and what is wrong with it.
func reason(field, why string) string {
	if field == "" {
		return why
	}
	return field + ": " + why
}
