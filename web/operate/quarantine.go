package operate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/internal/plural"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/page"
	"rollcall/web/words"
)

// rowsShown is how many rows of a quarantine are shown.
const rowsShown = 50

// Replayer reads raw documents of a source again with its document of today: those of one run,
// or with run 0 of every run that has rows in quarantine. CodeConflict: the source is being
// read.
type Replayer func(ctx context.Context, sourceID string, run int64) (*Replayed, error)

// Replayed is what reading again did.
type Replayed struct {
	// Left is how many runs there was no time for; they can be read next.
	Runs, Left, Resolved, New, Changed, Closed int
	// Note is why the last run was not applied; empty: it was.
	Note string
}

// RowText decrypts the raw text of a quarantined row.
type RowText func(sourceID string, sealed []byte) (string, error)

// quarantineBody is what the page of a source's quarantine shows.
type quarantineBody struct {
	*models.Source
	Reasons []source.QuarantineCount
	Ignored []source.QuarantineCount
	// Earlier are those of earlier files, which do not wait any more.
	Earlier []source.QuarantineCount
	// Waiting is how many rows wait, the latest first. From is how many of them stand on the pages before, and Rows are those of this one.
	Waiting, From int
	Rows          []waitingRow
	// The rows' text is shown.
	Opened bool
	Replay *Replayed
	// Done is what a form did; nil: none was sent.
	Done words.Text
	Now  time.Time
	// line returns the address of the line of the document that says how a field is read.
	line func(field string) string
}

// Where returns the address of the line of the document from which a reason comes; empty: it is not known.
func (b quarantineBody) Where(field string) string { return b.line(field) }

// First returns the number of the first row that is shown.
func (b quarantineBody) First() int { return b.From + 1 }

// Last returns the number of the last row that is shown.
func (b quarantineBody) Last() int { return b.From + len(b.Rows) }

// Later returns how many rows stand before those that follow; 0: none do.
func (b quarantineBody) Later() int {
	if b.Last() < b.Waiting {
		return b.Last()
	}
	return 0
}

// Before returns where the page before begins; -1: there is none.
func (b quarantineBody) Before() int {
	if b.From == 0 {
		return -1
	}
	return max(0, b.From-rowsShown)
}

// IgnoredRows counts the rows that are ignored until they change.
func (b quarantineBody) IgnoredRows() int { return rowsOf(b.Ignored) }

// EarlierRows counts the rows of earlier files.
func (b quarantineBody) EarlierRows() int { return rowsOf(b.Earlier) }

// rowsOf adds up counts of rows.
func rowsOf(counts []source.QuarantineCount) (n int) {
	for _, c := range counts {
		n += c.Rows
	}
	return n
}

// waitingRow is a quarantined row; Text is empty until it is opened.
type waitingRow struct {
	source.WaitingRow
	Text string
}

// picture finds what a row has of a picture: nothing else in it is so long without a space or a sign.
var picture = regexp.MustCompile(`[A-Za-z0-9+/\\=_-]{200,}`)

// withoutPictures returns the text of a row with its pictures cut: what an operator looks for stands beside them.
func withoutPictures(text string) string {
	return picture.ReplaceAllStringFunc(text, func(found string) string {
		return found[:24] + "… (" + words.Count(len(found)) + ")"
	})
}

// quarantinePage shows reasons and places, without the text of rows.
func (s Site) quarantinePage(v *page.Visit) error { return s.showQuarantine(v, quarantineBody{}, nil) }

// showQuarantine shows the page, and problem, why something was not done.
func (s Site) showQuarantine(v *page.Visit, b quarantineBody, problem error) error {
	ctx, id := v.R.Context(), chi.URLParam(v.R, "id")
	var err error
	if b.Source, err = s.source(ctx, id); err != nil {
		return err
	}
	if b.Reasons, err = s.Store.QuarantineCounts(ctx, id); err != nil {
		return err
	}
	if b.Ignored, err = s.Store.IgnoredCounts(ctx, id); err != nil {
		return err
	}
	if b.Earlier, err = s.Store.EarlierCounts(ctx, id); err != nil {
		return err
	}
	sizes, err := s.Store.QuarantineSizes(ctx)
	if err != nil {
		return err
	}
	b.Waiting = sizes[id]
	if b.From, err = strconv.Atoi("0" + v.R.FormValue("from")); err != nil || b.From >= b.Waiting {
		b.From = 0 // such as after a retry, which leaves fewer
	}
	rows, err := s.Store.WaitingRows(ctx, id, b.From, rowsShown)
	if err != nil {
		return err
	}
	for _, row := range rows {
		shown := waitingRow{WaitingRow: row}
		if b.Opened {
			if shown.Text, err = s.RowText(id, row.Encrypted); err != nil {
				return fmt.Errorf("open quarantined row: %w", err)
			}
			shown.Text = withoutPictures(shown.Text)
		}
		b.Rows = append(b.Rows, shown)
	}
	b.Now, b.line = s.Now(), s.lineOf(ctx, id)
	at := "/operator/sources/" + id + "/quarantine"
	if b.From > 0 {
		at += "?from=" + strconv.Itoa(b.From)
	}
	data := page.View{Title: words.T("Quarantine of {1}", b.Title).In(s.Pages.Language(v.R)), Script: "settings", At: at, Body: b}
	if problem != nil {
		data.Error = page.Said(problem)
	}
	return s.Pages.Page(v, "quarantine", data)
}

// openQuarantine shows the raw text of rows. It may hold what is not published, so the trail
// records who looked.
func (s Site) openQuarantine(v *page.Visit) error {
	id := chi.URLParam(v.R, "id")
	if _, err := s.source(v.R.Context(), id); err != nil {
		return err
	}
	if err := s.Pages.Trail(v, "quarantined rows: show the text", id); err != nil {
		return err
	}
	return s.showQuarantine(v, quarantineBody{Opened: true}, nil)
}

// ignoreRows returns the handler of a form that takes the rows of one reason out of the quarantine until they change, or
// brings them back. The trail gets the word for it, and the page says done.
func (s Site) ignoreRows(word string, done words.Text, do func(ctx context.Context, sourceID, field, reason string) (int, error)) func(v *page.Visit) error {
	return func(v *page.Visit) error {
		id, field, reason := chi.URLParam(v.R, "id"), v.R.PostFormValue("field"), v.R.PostFormValue("reason")
		if _, err := s.source(v.R.Context(), id); err != nil {
			return err
		}
		n, err := do(v.R.Context(), id, field, reason)
		if err != nil {
			return err
		}
		if n > 0 {
			if err := s.Pages.Trail(v, word, id+", "+plural.Of(n, "row")); err != nil {
				return err
			}
		}
		return s.showQuarantine(v, quarantineBody{Done: slices.Concat(done, words.Text{n})}, nil)
	}
}

// replay reads again what is in quarantine, or the run that the form names.
func (s Site) replay(v *page.Visit) error {
	id := chi.URLParam(v.R, "id")
	if _, err := s.source(v.R.Context(), id); err != nil {
		return err
	}
	run, err := strconv.ParseInt("0"+v.R.PostFormValue("run"), 10, 64)
	if err != nil {
		return page.ErrNoPage
	}
	subject := id
	if run > 0 {
		subject += ", run " + strconv.FormatInt(run, 10)
	}
	if err := s.Pages.Trail(v, "source: retry", subject); err != nil {
		return err
	}
	done, err := s.Replay(v.R.Context(), id, run)
	switch models.CodeOf(err) {
	case models.CodeNotFound, models.CodeConflict, models.CodeInvalidParameter:
		return s.showQuarantine(v, quarantineBody{}, err)
	}
	if err != nil {
		return err
	}
	return s.showQuarantine(v, quarantineBody{Replay: done}, nil)
}
