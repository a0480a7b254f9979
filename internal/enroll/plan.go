package enroll

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"rollcall/internal/plural"
	"rollcall/internal/watchlist"
	"rollcall/match"
	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/store"
)

// Outcome is what an import does with a line.
type Outcome string

// The outcomes of a line.
const (
	// Create makes an alert.
	Create Outcome = "new"
	// Watched leaves the line out: an alert of the account asks for the same person.
	Watched Outcome = "watched"
	// Repeated leaves the line out: a line before it asks for the same person.
	Repeated Outcome = "repeated"
	// Refused is a line that cannot be taken.
	Refused Outcome = "error"
)

// Row is a line of the list with what becomes of it.
type Row struct {
	Line    int
	Outcome Outcome
	// Name is as the alert has it; empty for a line that cannot be read.
	Name string
	// Message says what to do about a line that is refused, and Field which column it is about; empty: none alone. Problem
	// is the error whose message it is, with the names of columns; nil for a line that cannot be read.
	Message, Field string
	Problem        *models.Error
	// SameLine is the line that a repeated one repeats, and AlertID the alert of a watched one.
	SameLine int
	AlertID  string
	// Differs is what a repeated or watched line states and that line or alert has not, such as `level wide (it has normal)`.
	// It is not taken over.
	Differs []string
	// Alike says of a new line which alert or line before it has the same words in another order. It may be the same person, and
	// may be another (James Thomas, Thomas James), so the line is not folded. Empty where there is none.
	Alike string
	// ByName is how many bookings since Basis.Since the line would have hit under its name itself, and ByVariant under
	// another way of writing it. They are counted for new lines alone.
	ByName, ByVariant int

	draft *models.Watcher
	// Draft.Name as it is compared; nil before the first hit.
	name *match.Name
}

// Hits is how many bookings the line would have hit.
func (r *Row) Hits() int { return r.ByName + r.ByVariant }

// County is the county that a line which becomes an alert watches; nil: all of Georgia, or the line becomes none.
func (r *Row) County() *models.County {
	if r.draft == nil {
		return nil
	}
	return r.draft.County
}

// Plan is what an import would do. Nothing is stored before Create.
type Plan struct {
	// Rows are in the order of the file.
	Rows []*Row
	// New, Folded and Refused count the rows: Folded are those watched or repeated, and Differing those of them that state
	// something else.
	New, Folded, Differing, Refused int
	// Alike counts the new lines that look like another.
	Alike int
	// Basis is what the hits rest on; its Since is zero where they are not counted.
	Basis
	// Ignored are the titles of columns that are not known and were not read.
	Ignored []string

	account string
	// The revision of the account's alerts when they were read to compare the lines with.
	rev int64
}

// Read reads a list for an account, without counting. A file that is no list, or that has more new names than the account
// may still watch, is a models.Error. Its lines are rows.
func Read(ctx context.Context, st *store.Store, account string, from io.Reader, written watchlist.Encoding) (*Plan, error) {
	list, err := watchlist.Read(from, written)
	if err != nil {
		return nil, err
	}
	p := &Plan{account: account, Ignored: list.Ignored}
	if p.rev, err = st.WatcherRevision(ctx, account); err != nil { // first: what comes while they are read is compared by Create
		return nil, err
	}
	k := known{map[string]*asked{}, map[string]*asked{}}
	err = st.EachWatcher(ctx, account, nil, func(w *models.Watcher) error {
		k.add(w, askedBy(w))
		return nil
	})
	if err != nil {
		return nil, err
	}
	has := len(k.same)
	for i := range list.Lines {
		p.Rows = append(p.Rows, rowOf(st, &list.Lines[i], k))
	}
	for _, bad := range list.Problems {
		p.Rows = append(p.Rows, &Row{Line: bad.Line, Outcome: Refused, Field: bad.Field, Message: bad.Message})
	}
	slices.SortStableFunc(p.Rows, func(a, b *Row) int { return a.Line - b.Line })
	for _, r := range p.Rows {
		switch r.Outcome {
		case Create:
			p.New++
			if r.Alike != "" {
				p.Alike++
			}
		case Refused:
			p.Refused++
		case Watched, Repeated:
			p.Folded++
			if len(r.Differs) > 0 {
				p.Differing++
			}
		}
	}
	return p, st.RoomForWatchers(has, p.New)
}

// IgnoredSays names the columns that were not read; empty where all were.
func (p *Plan) IgnoredSays() string { return watchlist.IgnoredSays(p.Ignored) }

// known are the alerts and the new lines before a line: same by their key, alike by that of their words, the first of each.
type known struct{ same, alike map[string]*asked }

func (k known) add(w *models.Watcher, a *asked) {
	k.same[alert.Key(w)] = a
	if words := alert.WordsKey(w); k.alike[words] == nil {
		k.alike[words] = a
	}
}

// rowOf decides about one line; a new line is added to what is known.
func rowOf(st *store.Store, l *watchlist.Line, k known) *Row {
	r := &Row{Line: l.Number, Name: l.Watcher.Name}
	w, err := st.DraftWatcher(&l.Watcher)
	if err != nil {
		r.Outcome, r.Message = Refused, strings.TrimSpace(err.Error())
		if bad, ok := errors.AsType[*models.Error](err); ok {
			r.Field, r.Problem = bad.Field, bad
		}
		return r
	}
	r.Name, r.draft = w.Name, w
	if same := k.same[alert.Key(w)]; same != nil {
		r.Outcome, r.AlertID, r.SameLine, r.Differs = Watched, same.id, same.line, same.differs(l, w)
		if same.line != 0 {
			r.Outcome = Repeated
		}
		return r
	}
	r.Outcome = Create
	if other := k.alike[alert.WordsKey(w)]; other != nil {
		r.Alike = other.inAnotherOrder()
	}
	a := askedBy(w)
	a.line = l.Number
	k.add(w, a)
	return r
}

// About says in words why a line makes no alert; of one that does, that it looks like another.
func (r *Row) About() string {
	switch r.Outcome {
	case Watched:
		return "watched already by " + r.AlertID + r.Lost()
	case Repeated:
		return fmt.Sprintf("the same as line %d", r.SameLine) + r.Lost()
	case Create:
		return r.Alike
	case Refused:
	}
	return r.Message
}

// Lost says what of a line that is left out is lost with it; empty where nothing is.
func (r *Row) Lost() string {
	if len(r.Differs) == 0 {
		return ""
	}
	return "; not taken over: " + strings.Join(r.Differs, ", ")
}

// Labels returns the labels of the new lines, in their order, so many at most.
func (p *Plan) Labels(most int) []string {
	var out []string
	for _, r := range p.Rows {
		if len(out) < most && r.Outcome == Create && r.draft.Label != nil && !slices.Contains(out, *r.draft.Label) {
			out = append(out, *r.draft.Label)
		}
	}
	return out
}

// Create creates the alerts of all new lines in one transaction, and returns how many. With a refused line nothing is
// created, unless skip says to leave those out.
func (p *Plan) Create(ctx context.Context, st *store.Store, skip bool) (int, error) {
	if p.Refused > 0 && !skip {
		return 0, &models.Error{
			Code: models.CodeInvalidRequest, Field: "csv",
			Message: plural.Of(p.Refused, "line") + " cannot be imported, so nothing was created; correct them, or choose to leave them out",
		}
	}
	drafts := make([]*models.Watcher, 0, p.New)
	for _, r := range p.Rows {
		if r.Outcome == Create {
			drafts = append(drafts, r.draft)
		}
	}
	return st.CreateWatchers(ctx, p.account, drafts, p.rev)
}
