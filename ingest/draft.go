package ingest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rollcall/ingest/document"
	"rollcall/models"
)

// Draft is a source document as far as it could be read, for its author: what a sample shows of it is worth
// knowing beside its other mistakes.
type Draft struct {
	Source   *Source           // as far as it could be read
	Mistakes document.Problems // each with its path; empty: the document is in order
	// Judges reports whether samples can be read by the document all the same: its mistakes are all of places that
	// say nothing of how a row is read, or of the path or a layout of a field.
	Judges bool
}

// LoadDraft reads a source document, as Load does, that may have mistakes.
func LoadDraft(nameOrFile string, counties *models.Counties) (*Draft, error) {
	data, err := documentText(nameOrFile)
	if err != nil {
		return nil, err
	}
	d, err := DraftOf(data, counties)
	if err != nil {
		return nil, fmt.Errorf("source document %s: %w", nameOrFile, err)
	}
	return d, nil
}

// DraftOf is LoadDraft for the text of a document.
func DraftOf(data []byte, counties *models.Counties) (*Draft, error) {
	d, err := draft(data)
	if err != nil {
		return nil, err
	}
	if d.Source.County != "" {
		if _, err := counties.BySlug(d.Source.County); err != nil {
			d.Mistakes.Add("county", "%v", err)
			d.Judges = false
		}
	}
	d.Source.Fields.CheckCounties(counties, "fields", &d.Mistakes)
	return d, nil
}

// draft reads and checks a document; the error is for a text that is no YAML document at all.
// Both lists of mistakes are shown, without those that only follow from another: a misspelt key is not missing as well.
func draft(data []byte) (*Draft, error) {
	d := &Draft{Source: &Source{}}
	if err := document.Read(data, d.Source); err != nil && !errors.As(err, &d.Mistakes) {
		return nil, err
	}
	d.Source.defaults()
	var more document.Problems
	d.Source.check(&more)
	d.Judges = !slices.ContainsFunc(slices.Concat(d.Mistakes, more), blinds)
	misread := slices.Clone(d.Mistakes)
	for _, m := range more {
		if !slices.ContainsFunc(misread, func(cause document.Problem) bool { return cause.Explains(m.Path) }) {
			d.Mistakes = append(d.Mistakes, m)
		}
	}
	return d, nil
}

// harmless are the paths of what may be wrong with a field alone: it is missing or unknown, there is no such
// column, a layout can not be one.
var harmless = regexp.MustCompile(`^fields\.\w+\.\w+(\[\d+\])?(\.from|\.layouts\[\d+\])?$`)

// blinds reports whether a mistake keeps rows from being read.
func blinds(m document.Problem) bool {
	top, _, _ := strings.Cut(m.Path, ".")
	switch {
	case strings.HasPrefix(m.Text, "unknown key"): // what it should have been is missed elsewhere, if it is needed
		return false
	case slices.Contains([]string{"id", "title", "publish", "schedule", "complete", "drift", "privacy"}, top):
		return false
	case top == "transport":
		return strings.HasPrefix(m.Path, "transport.observed")
	}
	return !harmless.MatchString(m.Path) || strings.HasSuffix(m.Path, ".each")
}
