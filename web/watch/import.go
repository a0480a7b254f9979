package watch

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"rollcall/internal/enroll"
	"rollcall/internal/plural"
	"rollcall/internal/watchlist"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

const (
	// countWithin bounds how long a dry run compares a list with the bookings of a year.
	countWithin = 8 * time.Second
	// shownRows bounds each table of a dry run.
	shownRows = 300
	// importing is the address of the page.
	importing = "/alerts/import"
)

// importBody is what the page of an import shows.
type importBody struct {
	// Plan is nil before a file was tried.
	Plan *enroll.Plan
	// List is the file, compressed, for the form that confirms it.
	List, Encoding string
	// Refused, Folded and Fresh are rows to show, bounded; Fresh those with the most hits first.
	Refused, Folded, Fresh []*enroll.Row
	// Alike are those of the new lines that look like another in another order, bounded as well.
	Alike []*enroll.Row
	// Uncovered are the new lines for a county whose jail is not covered, bounded as well; Unfound counts them all.
	Uncovered []*enroll.Row
	Unfound   int
	// Counted is since when bookings were counted, where it is not a whole year.
	Counted words.Text
	// Done reports whether the list was imported; Created says how many alerts that made.
	Done    bool
	Created int
	// Labels of the alerts that were made.
	Labels []string
}

// Why returns what is wrong with a line, in the words of pages.
func (importBody) Why(r *enroll.Row) string {
	if r.Problem != nil {
		return page.Sentence(page.Said(r.Problem))
	}
	return page.Sentence(r.Message)
}

// showImport shows the page before a file is chosen.
func (s Site) showImport(v *page.Visit) error { return s.importPage(v, importBody{}, nil) }

// importPage shows the page, and problem, why something was not done.
func (s Site) importPage(v *page.Visit, b importBody, problem error) error {
	data := page.View{Title: "Import names", Script: "settings", At: importing, Body: b}
	if problem != nil {
		data.Failed(problem)
	}
	return s.Page(v, "alert-import", data)
}

// tryImport answers a file with what it would do.
func (s Site) tryImport(v *page.Visit) error {
	all, err := uploaded(v.R)
	if err != nil {
		return s.importPage(v, importBody{}, err)
	}
	b := importBody{Encoding: v.R.PostFormValue("encoding")}
	err = s.withPlan(v, all, b.Encoding, func(p *enroll.Plan) error {
		b.Plan = p
		return p.Count(v.R.Context(), s.Store, countWithin)
	})
	if mistake(err) {
		return s.importPage(v, importBody{}, err)
	}
	if err != nil {
		return err
	}
	if b.List, err = packed(all); err != nil {
		return err
	}
	b.sort()
	if err := s.unfound(v, &b); err != nil {
		return err
	}
	return s.importPage(v, b, nil)
}

// unfound notes the new lines that can find nobody.
func (s Site) unfound(v *page.Visit, b *importBody) error {
	covered, err := s.Store.CoveredJails(v.R.Context())
	if err != nil {
		return err
	}
	for _, r := range b.Plan.Rows {
		if c := r.County(); r.Outcome == enroll.Create && c != nil && !covered[c.ID] {
			b.Uncovered = append(b.Uncovered, r)
		}
	}
	b.Unfound = len(b.Uncovered)
	b.Uncovered = b.Uncovered[:min(b.Unfound, shownRows)]
	return nil
}

// confirmImport creates the alerts of a file that was tried. It is read and checked anew.
func (s Site) confirmImport(v *page.Visit) error {
	all, err := unpacked(v.R.PostFormValue("list"))
	if err != nil {
		return s.importPage(v, importBody{}, err)
	}
	b := importBody{Done: true}
	err = s.withPlan(v, all, v.R.PostFormValue("encoding"), func(p *enroll.Plan) (err error) {
		b.Plan = p
		b.Created, err = p.Create(v.R.Context(), s.Store, v.R.PostFormValue("skip") == "yes")
		return err
	})
	if mistake(err) {
		return s.importPage(v, importBody{}, err)
	}
	if err != nil {
		return err
	}
	if b.Created > 0 {
		b.Labels = b.Plan.Labels(20)
		if err := s.Trail(v, "alerts imported", plural.Of(b.Created, "alert")); err != nil {
			return err
		}
	}
	return s.importPage(v, b, nil)
}

// withPlan reads a list in the account's turn, and passes it to do.
func (s Site) withPlan(v *page.Visit, all []byte, encoding string, do func(*enroll.Plan) error) error {
	done, err := s.Turns.Take(v.R.Context(), v.Account.ID)
	if err != nil {
		return err
	}
	defer done()
	p, err := enroll.Read(v.R.Context(), s.Store, v.Account.ID, bytes.NewReader(all), watchlist.Encoding(encoding))
	if err != nil {
		return err
	}
	return do(p)
}

// sort chooses the rows to show.
func (b *importBody) sort() {
	for _, r := range b.Plan.Rows {
		switch r.Outcome {
		case enroll.Refused:
			b.Refused = append(b.Refused, r)
		case enroll.Watched, enroll.Repeated:
			b.Folded = append(b.Folded, r)
		case enroll.Create:
			b.Fresh = append(b.Fresh, r)
			if r.Alike != "" {
				b.Alike = append(b.Alike, r)
			}
		}
	}
	// What is lost with a line that is left out stands first: the tables are bounded.
	slices.SortStableFunc(b.Folded, func(x, y *enroll.Row) int { return cmp.Compare(min(1, len(y.Differs)), min(1, len(x.Differs))) })
	slices.SortStableFunc(b.Fresh, func(x, y *enroll.Row) int { return cmp.Compare(y.Hits(), x.Hits()) })
	for _, rows := range []*[]*enroll.Row{&b.Refused, &b.Folded, &b.Fresh, &b.Alike} {
		*rows = (*rows)[:min(len(*rows), shownRows)]
	}
	if !b.Plan.Whole {
		b.Counted = words.LongDay(b.Plan.Since)
	}
}

// mistake reports whether an error is one of the reader's file.
func mistake(err error) bool {
	c := models.CodeOf(err)
	return err != nil && (c == models.CodeInvalidRequest || c == models.CodeConflict)
}

// uploaded reads the file of a form.
func uploaded(r *http.Request) ([]byte, error) {
	f, _, err := r.FormFile("file")
	if errors.Is(err, http.ErrMissingFile) {
		return nil, models.InvalidBody("file", "choose a CSV file")
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	return bounded(f)
}

// bounded reads a list that is no longer than the page takes. The page of its dry run holds it, compressed, until it is confirmed.
func bounded(from io.Reader) ([]byte, error) {
	all, err := io.ReadAll(io.LimitReader(from, page.MaxFile+1))
	if err == nil && len(all) > page.MaxFile {
		return nil, models.InvalidBody("file", fmt.Sprintf("the file is larger than %d MB; split it, or use the command: rollcall watchers import", page.MaxFile>>20))
	}
	return all, err
}

// packed writes a list as the value of a field of a form.
func packed(all []byte) (string, error) {
	var b strings.Builder
	text := base64.NewEncoder(base64.RawStdEncoding, &b)
	z := gzip.NewWriter(text)
	if _, err := z.Write(all); err != nil {
		return "", err
	}
	if err := errors.Join(z.Close(), text.Close()); err != nil {
		return "", err
	}
	return b.String(), nil
}

// unpacked reads what packed wrote.
func unpacked(list string) ([]byte, error) {
	z, err := gzip.NewReader(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(list)))
	if err != nil {
		return nil, models.InvalidBody("file", "the list arrived incomplete; choose the file again")
	}
	all, err := bounded(z)
	if err != nil && !mistake(err) {
		return nil, models.InvalidBody("file", "the list arrived incomplete; choose the file again")
	}
	return all, err
}
