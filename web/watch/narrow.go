package watch

import (
	"net/url"
	"strconv"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// narrowBody is what the page shows that narrows an alert by what is known from one of its hits.
type narrowBody struct {
	Alert  *models.Watcher
	Record *models.Booking
	// Hit is the id of the hit, and By what narrows: "date", "year" or "county".
	Hit, By string
	// Only is the alert's narrower audience in words, and Was the one before.
	Only, Was words.Text
	// Hits are its hits so far, against what narrows.
	Hits   models.HitShare
	change models.WatcherChange
}

// Share says of the hits so far how many would still be found; kinds of which there are none are left out.
func (b *narrowBody) Share() words.Text {
	agree, silent, others := words.T("{1 has|have} that year of birth", b.Hits.Agree), words.T("{1 has|have} no birth year and would still be found", b.Hits.Silent),
		words.T("{1 has|have} another", b.Hits.Others())
	switch b.By {
	case "date":
		agree = words.T("{1 has|have} that birth date", b.Hits.Agree)
		silent = words.T("{1 has|have} no full birth date and would still be found", b.Hits.Silent)
	case "county":
		agree, others = words.T("{1 is|are} in that county", b.Hits.Agree), words.T("{1 is|are} elsewhere", b.Hits.Others())
	}
	var said []words.Text
	for _, kind := range []struct {
		n    int
		says words.Text
	}{{b.Hits.Agree, agree}, {b.Hits.Silent, silent}, {b.Hits.Others(), others}} {
		if kind.n > 0 {
			said = append(said, kind.says)
		}
	}
	return words.T("Of its {1 hit|hits} so far, {2}.", b.Hits.All, words.Join("; ", said...))
}

// Back returns the address of the alert's hits in the inbox.
func (b *narrowBody) Back() string { return "/inbox?alert=" + url.QueryEscape(b.Alert.ID) }

// errNotNarrower is for an alert that knows already what a hit would add, or a hit that adds nothing.
var errNotNarrower = models.NotFound("there is nothing to narrow: the alert already has a county or a birth date, or the jail reports neither")

// yearOf returns the year of birth that a hit adds to its alert; nil: none.
func yearOf(w *models.Watcher, b *models.Booking) *int {
	if w.Dob != nil || w.BirthYear != nil || w.Age != nil {
		return nil
	}
	if b.Dob != nil {
		return new(b.Dob.Year)
	}
	return b.BirthYear
}

// countyOf returns the county that a hit adds to its alert; nil: none.
func countyOf(w *models.Watcher, b *models.Booking) *models.County {
	if w.County != nil {
		return nil
	}
	return b.County
}

// NarrowAt returns the address of the page that narrows the alert of a row; what narrows it is added.
func (r hitRow) NarrowAt() string {
	return "/alerts/" + url.PathEscape(r.Alert.ID) + "/narrow?hit=" + url.QueryEscape(r.ID)
}

// Day returns the birth date that would narrow the alert of a row; nothing: none would.
func (r hitRow) Day() words.Text {
	if r.Year() == 0 || r.Record.Dob == nil {
		return nil
	}
	return words.Day(*r.Record.Dob)
}

// Year returns the year of birth that would narrow the alert of a row; 0: none would.
func (r hitRow) Year() int {
	if year := yearOf(r.Alert, r.Record); year != nil {
		return *year
	}
	return 0
}

// County returns the name of the county that would narrow the alert of a row; empty: none would.
func (r hitRow) County() string {
	if c := countyOf(r.Alert, r.Record); c != nil {
		return c.Name
	}
	return ""
}

// showNarrow shows what narrowing an alert by a hit would change. It changes nothing.
func (s Site) showNarrow(v *page.Visit) error {
	b, err := s.narrowBy(v, v.R.URL.Query())
	if err != nil {
		return err
	}
	return s.narrowPage(v, b, page.View{})
}

// narrowAlert narrows an alert as its page showed. Its hits stay.
func (s Site) narrowAlert(v *page.Visit) error {
	form := v.R.PostForm //nolint:forbidigo // the same names as in the address
	b, err := s.narrowBy(v, form)
	if err != nil {
		return err
	}
	b.change.Seen, b.change.By = new(form.Get("version")), models.Actor{UserID: v.User.ID}
	w, err := s.Store.UpdateWatcher(v.R.Context(), v.Account.ID, b.Alert.ID, b.change)
	switch code := models.CodeOf(err); {
	case err == nil:
	case code == models.CodeConflict || code == models.CodeInvalidRequest:
		var data page.View
		data.Failed(err)
		return s.narrowPage(v, b, data)
	default:
		return err
	}
	if err := s.Trail(v, "alert changed", w.Name+" ("+w.ID+")"); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, b.Back()+"&done=narrowed")
}

func (s Site) narrowPage(v *page.Visit, b *narrowBody, data page.View) error {
	data.Title, data.Script, data.Body = "Narrow an alert", "settings", b
	data.At = (&url.URL{Path: "/alerts/" + b.Alert.ID + "/narrow", RawQuery: url.Values{"hit": {b.Hit}, "by": {b.By}}.Encode()}).String()
	return s.Page(v, "alert-narrow", data)
}

// narrowBy reads what narrows an alert: a hit of it, and which of its facts.
func (s Site) narrowBy(v *page.Visit, asked url.Values) (*narrowBody, error) {
	ctx, account := v.R.Context(), v.Account.ID
	w, err := s.ofAlert(v)
	if err != nil {
		return nil, page.Hidden(err)
	}
	hit, err := s.Store.Hit(ctx, account, asked.Get("hit"))
	if err != nil || hit.WatcherID != w.ID {
		return nil, page.Hidden(models.NotFound("there is no such hit"))
	}
	record, err := s.Store.BookingByID(ctx, hit.RecordID)
	if err != nil {
		return nil, page.Hidden(err)
	}
	b := &narrowBody{Alert: w, Record: record, Hit: hit.ID, By: asked.Get("by")}
	year, county := yearOf(w, record), countyOf(w, record)
	var day *models.Date
	switch {
	case b.By == "date" && year != nil && record.Dob != nil:
		county, year, day = nil, nil, record.Dob
		b.Only, b.Was, b.change.Dob = words.T("people born on {1}", words.Day(*record.Dob)), words.T("whenever they were born"), models.Fact[models.Date]{Given: true, Value: record.Dob}
	case b.By == "year" && year != nil:
		county = nil
		b.Only, b.Was, b.change.BirthYear = words.T("people born in {1}", strconv.Itoa(*year)), words.T("whenever they were born"), models.Fact[int]{Given: true, Value: year}
	case b.By == "county" && county != nil:
		year = nil
		b.Only, b.Was, b.change.County = words.T("people in {1} County", county.Name), words.T("anywhere in Georgia"), models.Fact[string]{Given: true, Value: &county.Slug}
	default:
		return nil, errNotNarrower
	}
	b.Hits, err = s.Store.HitShare(ctx, account, w.ID, county, day, year)
	return b, err
}
