package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/migrations"
)

type sourcesCheckCmd struct {
	Source string   `arg:"" help:"Id of a source, or a source document (YAML file)."`
	Sample []string `help:"Sample data: shows the rows that it would make." type:"existingfile" sep:"none"`
	JSON   bool     `name:"json" help:"Print JSON."`
}

// Run checks a document, and shows what it makes of samples. Mistakes are printed with their path. It
// needs no database: an author's first tries should not wait for one.
func (c *sourcesCheckCmd) Run(app *App) error {
	source, err := app.document(c.Source)
	if err != nil {
		return err
	}
	counties, err := georgia()
	if err != nil {
		return err
	}
	if source.County != "" {
		if _, err := counties.BySlug(source.County); err != nil {
			return fmt.Errorf("county: %w", err)
		}
	}
	if len(c.Sample) == 0 {
		_, err := fmt.Fprintf(app.Stdout, "%s: the document is in order; with --sample FILE it shows the rows that it makes\n", source.ID)
		return err
	}
	bad := 0
	for _, sample := range c.Sample {
		data, err := os.ReadFile(sample) //nolint:gosec // the operator names the file
		if err != nil {
			return fmt.Errorf("read sample: %w", err)
		}
		p, err := source.Preview(filepath.Base(sample), data, counties, time.Now())
		if err != nil {
			return err
		}
		bad += len(p.Bad)
		if c.JSON {
			err = app.printJSON(p)
		} else {
			err = app.printPreview(p)
		}
		if err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d sample rows would go to quarantine", bad)
	}
	return nil
}

// georgia is the fixed set of counties.
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

// printPreview prints the rows, one a line, then what is wrong with others, then what is worth a look.
func (a *App) printPreview(p *ingest.Preview) error {
	var lines []string
	for _, row := range p.Rows {
		text, err := json.Marshal(row)
		if err != nil {
			return fmt.Errorf("encode row: %w", err)
		}
		lines = append(lines, string(text))
	}
	lines = append(lines, p.Bad...)
	for _, left := range p.Left {
		lines = append(lines, left+" (left out; the row stays)")
	}
	for _, field := range slices.Sorted(maps.Keys(p.Unknown)) {
		said := p.Unknown[field]
		for _, text := range slices.Sorted(maps.Keys(said)) {
			lines = append(lines, fmt.Sprintf("fields.%s: unknown value %q (%d)", field, text, said[text]))
		}
	}
	if len(p.Rows)+len(p.Bad) > 0 {
		for _, field := range slices.Sorted(maps.Keys(p.Unmet)) {
			lines = append(lines, fmt.Sprintf("fields.%s: no sample row has a value at %q", field, p.Unmet[field]))
		}
	}
	if p.Doubt != "" {
		lines = append(lines, p.Doubt+" (such a file is not complete)")
	}
	lines = append(lines, fmt.Sprintf("%d rows, %d to quarantine", len(p.Rows), len(p.Bad)))
	_, err := fmt.Fprintln(a.Stdout, strings.Join(lines, "\n"))
	return err
}
