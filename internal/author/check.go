// Package author has the commands of those who write source documents: `rollcall sources check`, which shows what a document
// makes of samples, and `rollcall quarantine`, which shows the rows that it could not read. Both name people.
//
// It may import what cmd/rollcall may. What a row means is decided in package ingest, and what is stored in models.
package author

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/decode"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/migrations"
)

// Check checks a source document and shows the rows that it makes of sample files. It is the tool of
// the person who writes a document (docs/sources.md).
type Check struct {
	Source string `arg:"" help:"Id of a source, or a source document (YAML file)."`
	// Sample files are read like documents of the source. Nothing of them is stored.
	Sample []string `help:"Sample data: shows the rows that it would make. Repeat it for files that belong together." type:"existingfile" sep:"none"`
	// At is for samples of old: the ages of people, years of two digits and dates of the future are judged as of then.
	At   Instant `help:"Read the samples as if it were this instant (RFC 3339), instead of now. An instant in the name of a sample comes first." placeholder:"2026-03-08T06:30:00-05:00"`
	JSON bool    `name:"json" help:"Print JSON."`
}

// Run prints the mistakes of a document with their paths, and what the document makes of each sample as far as
// it can be read. It fails when there is a mistake or when a sample row would go to quarantine. It needs no
// database, so that the first tries of an author are fast.
func (c *Check) Run(app *service.App) error {
	counties, err := georgia()
	if err != nil {
		return err
	}
	draft, err := draftOf(app, c.Source, counties)
	if err != nil {
		return err
	}
	mistakes := draft.Mistakes.Err()
	// Samples are read in spite of mistakes, as long as those do not touch how a row is read (Draft.Judges).
	if len(c.Sample) == 0 || !draft.Judges {
		switch {
		case c.JSON:
			if err := app.PrintJSON(map[string]any{"source": draft.Source.ID, "mistakes": texts(draft)}); err != nil {
				return err
			}
			return checked(len(draft.Mistakes), 0)
		case mistakes != nil:
			return fmt.Errorf("source document %s:\n%w", c.Source, mistakes)
		}
		_, err := fmt.Fprintf(app.Stdout, "%s: the document is in order; with --sample FILE it shows the rows that it makes\n", draft.Source.ID)
		return err
	}
	if mistakes != nil && !c.JSON {
		if _, err := fmt.Fprintln(app.Stdout, mistakes); err != nil {
			return err
		}
	}
	bad, err := c.samples(app, draft, counties)
	if err != nil {
		return err
	}
	return checked(len(draft.Mistakes), bad)
}

// texts returns the mistakes of a document as sentences.
func texts(d *ingest.Draft) []string {
	out := make([]string, len(d.Mistakes))
	for i, m := range d.Mistakes {
		out[i] = m.String()
	}
	return out
}

// checked returns the error of a check that found something, or nil.
func checked(mistakes, bad int) error {
	var found []string
	if mistakes > 0 {
		found = append(found, "the document has "+plural.Of(mistakes, "mistake"))
	}
	if bad > 0 {
		found = append(found, plural.Of(bad, "sample row")+" would go to quarantine")
	}
	if len(found) == 0 {
		return nil
	}
	return errors.New(strings.Join(found, ", and "))
}

// samples prints what a document makes of each sample. It returns the number of rows that would go to
// quarantine. The clock matters for rules such as the age of a person at the booking. An instant in the name of a sample
// says of when it is, as it does for an ingest.
func (c *Check) samples(app *service.App, draft *ingest.Draft, counties *models.Counties) (bad int, err error) {
	at := time.Time(c.At)
	if at.IsZero() {
		at = time.Now()
	}
	absent := map[string]int{} // in how many samples something is absent
	for i, sample := range c.Sample {
		data, err := os.ReadFile(sample) //nolint:gosec // the operator names the file
		if err != nil {
			return 0, fmt.Errorf("read sample: %w", err)
		}
		p, err := draft.Source.PreviewAt(filepath.Base(sample), data, counties, at)
		// The header that was found is shown: a wrong separator is the usual mistake of a first try.
		if m, ok := errors.AsType[*decode.MissingColumnsError](err); ok {
			return 0, fmt.Errorf("%w; its first row reads %s (decode.separator and decode.above say how a file differs)", err, strings.Join(m.Header, ", "))
		}
		if err != nil {
			return 0, err
		}
		bad += len(p.Bad)
		// What one file lacks may stand in another: the files of a court have a kind of record each.
		for _, sentence := range p.Absent {
			absent[sentence]++
		}
		if p.Absent = nil; i == len(c.Sample)-1 {
			p.Absent = inAll(absent, len(c.Sample))
		}
		if c.JSON {
			p.Mistakes = texts(draft)
			err = printJSON(app, p)
		} else {
			err = printPreview(app, p)
		}
		if err != nil {
			return 0, err
		}
	}
	return bad, nil
}

// inAll returns the sentences that are true of so many samples, sorted.
func inAll(counts map[string]int, samples int) []string {
	var all []string
	for sentence, n := range counts {
		if n == samples {
			all = append(all, sentence)
		}
	}
	slices.Sort(all)
	return all
}

// draftOf finds a source document by id or path and returns it even if it has mistakes. Like service.Document
// it prefers the operator's document in the data directory.
func draftOf(a *service.App, idOrFile string, counties *models.Counties) (*ingest.Draft, error) {
	own := filepath.Join(a.DataDir, "sources", filepath.Base(idOrFile)+".yaml")
	d, err := ingest.LoadDraft(own, counties)
	if errors.Is(err, fs.ErrNotExist) {
		return ingest.LoadDraft(idOrFile, counties)
	}
	return d, err
}

// georgia returns the fixed set of Georgia's counties from the migrations, without a database.
func georgia() (*models.Counties, error) {
	rows, err := migrations.Counties()
	if err != nil {
		return nil, err
	}
	all := make([]*models.County, len(rows))
	for i, r := range rows {
		all[i] = &models.County{ID: r.ID, Slug: r.Slug, Name: r.Name, FIPS: r.FIPS}
	}
	return models.CountiesOf(all), nil
}

// printJSON prints a preview whose sentences are one a reason, as printPreview has them.
func printJSON(app *service.App, p *ingest.Preview) error {
	bad := len(p.Bad)
	p.Bad, p.Left = p.BadReasons.Sentences(), p.LeftReasons.Sentences()
	return app.PrintJSON(struct {
		*ingest.Preview
		BadRows int `json:"bad_rows"` // how many rows would go to quarantine; a sentence may be of several
	}{p, bad})
}

// printPreview prints the rows, one JSON object a line, then the rows that cannot be read, then values that
// were left out or that no value map knows. The last line counts.
func printPreview(a *service.App, p *ingest.Preview) error {
	var lines []string
	for _, row := range p.Rows {
		text, err := json.Marshal(row)
		if err != nil {
			return fmt.Errorf("encode row: %w", err)
		}
		lines = append(lines, string(text))
	}
	lines = append(lines, p.BadReasons.Sentences()...)
	// A value that was left out is shown apart from rows that were lost: the row is a fact without it.
	for _, left := range p.LeftReasons.Sentences() {
		lines = append(lines, left+" (left out; the row stays)")
	}
	for _, field := range slices.Sorted(maps.Keys(p.Unknown)) {
		said := p.Unknown[field]
		for _, text := range slices.Sorted(maps.Keys(said)) {
			lines = append(lines, fmt.Sprintf("fields.%s: unknown value %q (%d)", field, text, said[text]))
		}
	}
	lines = append(lines, p.Absent...)
	if len(p.Bad) == 0 { // until then they matter less than the rows
		lines = append(lines, p.Notes...)
	}
	if p.Doubt != "" {
		lines = append(lines, p.Doubt+" (such a file is not complete)")
	}
	lines = append(lines, fmt.Sprintf("%s, %d to quarantine", plural.Of(len(p.Rows), "row"), len(p.Bad)))
	_, err := fmt.Fprintln(a.Stdout, strings.Join(lines, "\n"))
	return err
}
