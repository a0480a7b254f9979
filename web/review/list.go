package review

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// reviewFilter is what an operator narrowed the list of reviews to, as the address has it. Empty: nothing.
type reviewFilter struct {
	Source, Reason, County, Age string

	// What the page offers.
	Sources, Reasons, Counties, Ages []filterOption
}

// filterOption is an option of a filter of the review.
type filterOption struct {
	Value string
	Says  words.Text
}

// chooser is a filter of which one option is chosen; templates make one by calling choose.
type chooser struct {
	Name, Label, All, Chosen string
	From                     []filterOption
}

// choose returns a filter. all is what the option says that narrows nothing.
func choose(name, label, all, chosen string, from []filterOption) chooser {
	return chooser{Name: name, Label: label, All: all, Chosen: chosen, From: from}
}

// reviewReasons are the reasons for which records wait, in the words that the list shows.
var reviewReasons = []models.WithheldReason{
	models.WithheldMaybeJuvenile, models.WithheldMaybeRestricted, models.WithheldVanished, models.WithheldRestricted,
}

// reviewAges bound when a source had a record last: at least so long ago, or at most.
var reviewAges = []struct {
	filterOption
	since, until time.Duration // 0: no bound
}{
	{filterOption{"day", words.T("in the last 24 hours")}, 24 * time.Hour, 0},
	{filterOption{"week", words.T("in the last 7 days")}, 7 * 24 * time.Hour, 0},
	{filterOption{"over-week", words.T("over 7 days ago")}, 0, 7 * 24 * time.Hour},
	{filterOption{"over-month", words.T("over 30 days ago")}, 0, 30 * 24 * time.Hour},
}

// reviewsAsked returns the list that an address or a form asks for.
func reviewsAsked(value func(string) string) reviewsBody {
	from, err := strconv.Atoi("0" + value("from"))
	if err != nil {
		from = 0
	}
	return reviewsBody{
		Decided: value("state") == "decided", Named: value("named") == "yes", From: from,
		Filter: reviewFilter{Source: value("source"), Reason: value("reason"), County: value("county"), Age: value("age")},
	}
}

// filter returns the filter as the store takes it. A word that no option has is page.ErrNoPage.
func (b *reviewsBody) filter(counties *models.Counties, now time.Time) (f models.ReviewFilter, err error) {
	f = models.ReviewFilter{Decided: b.Decided, Source: b.Filter.Source, Reason: models.WithheldReason(b.Filter.Reason), Skip: b.From}
	if f.Reason != "" && !slices.Contains(reviewReasons, f.Reason) {
		return f, page.ErrNoPage
	}
	if b.Filter.County != "" {
		county, err := counties.BySlug(b.Filter.County)
		if err != nil {
			return f, page.ErrNoPage
		}
		f.CountyID = &county.ID
	}
	if b.Filter.Age == "" {
		return f, nil
	}
	for _, age := range reviewAges {
		if age.Value != b.Filter.Age {
			continue
		}
		if age.since > 0 {
			f.SeenSince = new(now.Add(-age.since))
		}
		if age.until > 0 {
			f.SeenUntil = new(now.Add(-age.until))
		}
		return f, nil
	}
	return f, page.ErrNoPage
}

// choices fills in what the filter offers: the sources that there are and their counties.
func (b *reviewsBody) choices(counties *models.Counties, sources []*models.Source) {
	f, seen := &b.Filter, map[string]bool{}
	add := func(c *models.County) {
		if c != nil && !seen[c.Slug] {
			seen[c.Slug] = true
			f.Counties = append(f.Counties, filterOption{c.Slug, words.Plain(c.Name)})
		}
	}
	for _, src := range sources {
		if src.Parent == "" {
			f.Sources = append(f.Sources, filterOption{src.ID, words.Plain(src.Title)})
		}
		add(src.County)
		for _, id := range src.Covers {
			add(counties.ByID(id))
		}
	}
	slices.SortFunc(f.Counties, func(a, b filterOption) int { return cmp.Compare(a.Says.String(), b.Says.String()) })
	for _, reason := range reviewReasons {
		f.Reasons = append(f.Reasons, filterOption{string(reason), words.Word(string(reason))})
	}
	for _, age := range reviewAges {
		f.Ages = append(f.Ages, age.filterOption)
	}
}

// Any reports whether the list is narrowed.
func (f reviewFilter) Any() bool {
	return f.Source != "" || f.Reason != "" || f.County != "" || f.Age != ""
}

// Fields are what the forms of the page send along, so that their answer shows the same list.
func (b *reviewsBody) Fields() (all []filterOption) {
	for _, field := range []filterOption{
		{"source", words.Plain(b.Filter.Source)}, {"reason", words.Plain(b.Filter.Reason)}, {"county", words.Plain(b.Filter.County)}, {"age", words.Plain(b.Filter.Age)},
	} {
		if len(field.Says) > 0 {
			all = append(all, field)
		}
	}
	if b.Decided {
		all = append(all, filterOption{"state", words.Plain("decided")})
	}
	if b.From > 0 {
		all = append(all, filterOption{"from", words.Plain(strconv.Itoa(b.From))})
	}
	return all
}

// address returns the address of the list with the same filter.
func (b *reviewsBody) address(decided bool, more ...string) string {
	asked := url.Values{}
	for _, field := range b.Fields() {
		asked.Set(field.Value, field.Says.String())
	}
	if asked.Del("state"); decided {
		asked.Set("state", "decided")
	}
	if decided != b.Decided {
		asked.Del("from")
	}
	for pair := range slices.Chunk(more, 2) {
		asked.Set(pair[0], pair[1])
	}
	if len(asked) == 0 {
		return "/operator/review"
	}
	return "/operator/review?" + asked.Encode()
}

// Here returns the address of the list.
func (b *reviewsBody) Here() string { return b.address(b.Decided) }

// Later returns the address of the records that follow on the list; empty: none do.
func (b *reviewsBody) Later() string {
	if next := b.From + len(b.Records); next < b.Total {
		return b.address(b.Decided, "from", strconv.Itoa(next))
	}
	return ""
}

// Before returns the address of the records that stand before on the list; empty: none do.
func (b *reviewsBody) Before() string {
	if b.From == 0 {
		return ""
	}
	return b.address(b.Decided, "from", strconv.Itoa(max(0, b.From-reviewsShown)))
}

// First returns the number of the first record that is shown.
func (b *reviewsBody) First() int { return b.From + 1 }

// Last returns the number of the last record that is shown.
func (b *reviewsBody) Last() int { return b.From + len(b.Records) }

// Undecided returns the address of the list of waiting records.
func (b *reviewsBody) Undecided() string { return b.address(false) }

// Reached returns the address of the list of decided records.
func (b *reviewsBody) Reached() string { return b.address(true) }

// after returns where a decision about a record leads: to the list that it was made on.
func (b *reviewsBody) after(said, record string) string {
	return b.address(b.Decided, "done", said, "record", record)
}

// Picked reports whether a record was ticked in the form that was refused.
func (b *reviewsBody) Picked(p pendingRow) bool { return slices.Contains(b.picked, p.Pick()) }

// Pick identifies a record and what its reader saw of it, in the form for several.
func (p pendingRow) Pick() string { return p.Version() + " " + p.ID }

// decideSeveral decides about the records that are ticked, on the same grounds. Each is a decision of its own, with a line in
// the trail: one that changed meanwhile stays as it was, and the others do not wait for it.
func (s Site) decideSeveral(v *page.Visit) error {
	b := reviewsAsked(v.R.PostFormValue)
	b.picked, b.SeveralNote = v.R.PostForm["pick"], v.R.PostFormValue("note") //nolint:forbidigo // the form that came, not the call of that name
	decision, done := models.ReviewLifted, words.T("{1 record was|records were} published.")
	if v.R.PostFormValue("decision") == "keep" {
		decision, done = models.ReviewKept, words.T("{1 record was|records were} kept hidden.")
	}
	var data page.View
	switch {
	case len(b.picked) == 0:
		data.Failed(models.Invalid("pick", "select the records that you decide about; nothing was changed"))
	case len(b.picked) > reviewsShown:
		data.Failed(models.Invalid("pick", "you chose more records than the page shows; reload the page. Nothing was changed"))
	case strings.TrimSpace(b.SeveralNote) == "":
		data.Failed(models.Invalid("note", "write a reason: later readers rely on it"))
	}
	if data.Error != "" {
		return s.showReviews(v, b, data)
	}
	decided, left := 0, 0
	for _, pick := range b.picked {
		seen, record, _ := strings.Cut(pick, " ")
		p, err := s.review(v, record, seen, decision)
		switch code := models.CodeOf(err); {
		case err == nil:
			decided++
			if err := s.Pages.Trail(v, action(p, decision), subject(p)); err != nil {
				return err
			}
		case code == models.CodeConflict, code == models.CodeNotFound:
			left++
		case page.Mendable(err): // the grounds: the same for all of them
			data.Failed(err)
			return s.showReviews(v, b, data)
		default:
			return err
		}
	}
	b.picked, b.SeveralNote = nil, ""
	if decided > 0 {
		data.Done, b.Several = slices.Concat(done, words.Text{decided}), true
	}
	if left > 0 {
		data.Failed(&models.Error{Code: models.CodeConflict, Message: words.T("{1 record was decided or updated after you opened the page and stays as it was|records were decided or updated after you opened the page and stay as they were}", left).String()})
		data.Status = page.StatusOf(models.CodeConflict)
	}
	return s.showReviews(v, b, data)
}
