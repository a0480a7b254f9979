package watch

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/picture"
	"rollcall/web/words"
)

// hitRow is a hit with what pages show of it.
type hitRow struct {
	*models.Hit
	// Record is the booking as it is now, and Alert the watcher.
	Record *models.Booking
	Alert  *models.Watcher
	bond   models.Bond // of the booking
	// Events are what happened, oldest first.
	Events []happened
	// Photo is the photograph of the booking; nil: there is none, or the page shows none.
	Photo *picture.Picture
}

// happened is an event of a hit. Step is from what to what it changed the bond; nil: it did not, or the page does not show it.
type happened struct {
	*models.AlertEvent
	Step  *fact.Step
	facts *models.EventFacts // of a release and a bond change
}

// Says returns what happened.
func (h happened) Says() words.Text { return fact.EventOf(h.Kind, h.facts) }

// Token names the hit and its version, for the form.
func (r hitRow) Token() string { return r.ID + " " + r.Version() }

// eventsShown is how many events of a hit a page shows, the newest.
const eventsShown = 5

// Newest returns the newest events, oldest first.
func (r hitRow) Newest() []happened { return r.Events[max(len(r.Events)-eventsShown, 0):] }

// Earlier counts the events before those.
func (r hitRow) Earlier() int { return max(len(r.Events)-eventsShown, 0) }

// Born says what is known of the birth of who was booked.
func (r hitRow) Born() words.Text { return fact.Born(r.Record.Dob, r.Record.BirthYear) }

// Charge returns the first charge; empty: there is none.
func (r hitRow) Charge() string {
	if len(r.Record.Charges) == 0 {
		return ""
	}
	return r.Record.Charges[0]
}

// MoreCharges counts the charges after the first.
func (r hitRow) MoreCharges() int { return max(len(r.Record.Charges)-1, 0) }

// Bond returns the bond as a part of a line.
func (r hitRow) Bond() words.Text { return fact.BondLine(r.bond) }

// Released is the release as a part of a line; nothing while the person is in custody.
func (r hitRow) Released() words.Text { return fact.Released(r.Record.Release()) }

// Confirmed reports whether it is the person, Dismissed whether it is someone else, and Spelling whether everybody who is written so was
// dismissed with them.
func (r hitRow) Confirmed() bool { return r.Feedback != nil && *r.Feedback == models.Confirm }

// Dismissed is described at Confirmed.
func (r hitRow) Dismissed() bool { return r.Feedback != nil && *r.Feedback == models.Dismiss }

// Spelling is described at Confirmed.
func (r hitRow) Spelling() bool { return r.Scope != nil && *r.Scope == models.ThisSpelling }

// MaySpell reports whether everybody who is written so can be dismissed: not under the watched name itself.
func (r hitRow) MaySpell() bool {
	return models.Spelling(r.Record.Name) != models.Spelling(r.Alert.Name)
}

// NoBirth reports whether the jail states no birth: then nothing but a link tells that another booking is of the same person.
func (r hitRow) NoBirth() bool { return r.Record.Dob == nil && r.Record.BirthYear == nil }

// Rim is how strong the mark at the side is.
func (r hitRow) Rim() string {
	switch {
	case r.BornCompared() && r.Probability >= .9:
		return "high"
	case r.Probability >= .6:
		return "medium"
	}
	return "low"
}

// Share is how well it agrees, from 0 to 100. It is never called how likely this is the person: whoever has that name and was born
// then has the same figure.
func (r hitRow) Share() int { return int(math.Round(100 * r.Probability)) }

// Percent is the same in words.
func (r hitRow) Percent() string {
	if r.Probability > .99 {
		return "over 99%"
	}
	return strconv.Itoa(r.Share()) + "%"
}

// Agreement says how well a name agrees alone, since a namesake agrees as well.
func (r hitRow) Agreement() words.Text {
	switch {
	case slices.Contains(r.Reasons, match.LastNameAlone):
		return words.T("Only the last name agrees; birth not compared")
	case r.Probability >= .9:
		return words.T("The name agrees; birth not compared")
	case r.Probability >= .5:
		return words.T("The name nearly agrees; birth not compared")
	}
	return words.T("This may be another way to write the name; birth not compared")
}

// Grounds are the reasons, the weightiest first, as of when it was found.
func (r hitRow) Grounds() []fact.Reason {
	grounds := fact.Reasons(r.Reasons)
	for i, reason := range r.Reasons {
		if reason == match.AlertWithoutBirth && r.Alert.Born().Year != 0 {
			grounds[i].Says = words.T("birth date not compared: the alert had none then, and a namesake is possible")
		}
	}
	return grounds
}

// hitRows reads the bookings, watchers and events of hits. A hit whose booking was withheld meanwhile is left out.
func (s Site) hitRows(v *page.Visit, hits []*models.Hit) ([]hitRow, error) {
	ctx, account := v.R.Context(), v.Account.ID
	rids, ids, of := make([]int64, len(hits)), make([]string, len(hits)), make([]string, len(hits))
	for i, h := range hits {
		rids[i], ids[i], of[i] = h.RID, h.ID, h.WatcherID
	}
	records, err := s.Store.BookingsByKeys(ctx, rids)
	if err != nil {
		return nil, err
	}
	bonds, err := s.Store.BondsOf(ctx, slices.Collect(maps.Values(records)))
	if err != nil {
		return nil, err
	}
	watchers, err := s.Store.WatchersByID(ctx, account, of)
	if err != nil {
		return nil, err
	}
	events, err := s.Store.EventsOfHits(ctx, account, ids)
	if err != nil {
		return nil, err
	}
	byID := map[string]*models.Watcher{}
	for _, w := range watchers {
		byID[w.ID] = w
	}
	rows := make([]hitRow, 0, len(hits))
	for _, h := range hits {
		r := hitRow{Hit: h, Record: records[h.RID], Alert: byID[h.WatcherID], bond: bonds[h.RID]}
		for _, e := range events[h.ID] {
			r.Events = append(r.Events, happened{AlertEvent: e})
		}
		if r.Record != nil && r.Alert != nil {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// pictureSide is how many pixels a photograph beside a hit is high and wide at most.
const pictureSide = 64

// explain adds to rows from what to what bonds were changed, and the photographs.
func (s Site) explain(v *page.Visit, rows []hitRow) error {
	if err := s.steps(v, rows); err != nil {
		return err
	}
	bookings := make([]*models.Booking, len(rows))
	for i, r := range rows {
		bookings[i] = r.Record
	}
	photos, err := s.Album.Of(v.R.Context(), bookings, pictureSide)
	if err != nil {
		return err
	}
	for i, r := range rows {
		rows[i].Photo = photos[r.Record.RID]
	}
	return nil
}

// steps adds to rows how releases are known, and from what to what bonds were changed.
func (s Site) steps(v *page.Visit, rows []hitRow) error {
	var changes []string
	for _, r := range rows {
		for _, e := range r.Events {
			if e.Kind != models.EventBooking {
				changes = append(changes, e.ID)
			}
		}
	}
	facts, err := s.Store.FactsOfEvents(v.R.Context(), v.Account.ID, changes)
	if err != nil {
		return err
	}
	for _, r := range rows {
		for i, e := range r.Events {
			r.Events[i].facts, r.Events[i].Step = facts[e.ID], fact.StepOf(e.Kind, facts[e.ID])
		}
	}
	return nil
}
