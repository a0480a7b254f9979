package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rollcall/internal/cell"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// troubleJSON is what began the present trouble of a source, or of one county of it.
type troubleJSON struct {
	Source string             `json:"source"`
	County *string            `json:"county"` // a slug; null: the trouble is the whole source's
	State  models.SourceState `json:"state"`
	Run    *int64             `json:"run"`   // null: no run began it, as when an operator held the source or nothing new came
	Since  *time.Time         `json:"since"` // null: the source was never read well
	Files  []string           `json:"files"` // of that run, as far as they are still archived
	Reason string             `json:"reason"`
}

// troubles returns the troubles of a source and of its counties, the oldest first.
func troubles(ctx context.Context, store *store.Store, src *models.Source) ([]troubleJSON, error) {
	all, err := store.Troubles(ctx, src)
	out := make([]troubleJSON, len(all))
	for i := range all {
		out[i] = troubleOf(&all[i])
	}
	return out, err
}

// troubleOf returns a trouble as the command prints it.
func troubleOf(t *source.Trouble) troubleJSON {
	j := troubleJSON{Source: t.Source, State: t.State, Files: append([]string{}, t.Files...), Reason: t.Reason}
	if t.County != nil {
		j.County = &t.County.Slug
	}
	if t.Run != 0 {
		j.Run = &t.Run
	}
	if !t.At.IsZero() {
		j.Since = &t.At
	}
	return j
}

// line says in one line since when the trouble is, by which run and files, and why.
func (t *troubleJSON) line() string {
	what := []string{fmt.Sprintf("%s since %s", t.State, cell.Time(t.Since))}
	if t.Run != nil {
		what = append(what, fmt.Sprintf("by run %d", *t.Run))
	}
	if len(t.Files) > 0 {
		what = append(what, "of "+(&source.Trouble{Files: t.Files}).FilesText())
	}
	return fmt.Sprintf("%s%s: %s", scopeText(t.County), strings.Join(what, " "), t.Reason)
}

// scopeText names a county before what is said of it.
func scopeText(county *string) string {
	if county == nil {
		return ""
	}
	return *county + " "
}
