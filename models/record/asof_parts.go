package record

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/db/column"
	"rollcall/models/history"
)

// caseCalendar is what is known today of a case's calendar, from which versions lead back.
type caseCalendar struct {
	// link is the hearing link of the case itself, not of its next hearing.
	link *string
	// hearings are by the court's number of the hearing, which versions name; cancelled ones are left out.
	hearings map[string]*models.Hearing
}

// calendarsOf reads the calendars of cases by key.
func (s *Store) calendarsOf(ctx context.Context, keys []int64) (map[int64]*caseCalendar, error) {
	var own []struct {
		Key         int64
		HearingLink *string
	}
	of := column.Array[int64](keys)
	if err := s.rows(ctx).Table("reachable_cases").Select("id as key, hearing_link").Where("id = any (?)", of).Scan(&own).Error; err != nil {
		return nil, fmt.Errorf("read calendars: %w", err)
	}
	out := make(map[int64]*caseCalendar, len(keys))
	for _, c := range own {
		out[c.Key] = &caseCalendar{link: c.HearingLink, hearings: map[string]*models.Hearing{}}
	}
	var rows []*models.HearingRow
	if err := s.rows(ctx).Where("case_id = any (?) and not cancelled", of).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read calendars: %w", err)
	}
	for _, r := range rows {
		if c := out[r.CaseKey]; c != nil { // else the case came after the first statement
			c.hearings[r.Event] = &r.Hearing
		}
	}
	return out, nil
}

// asOf sets on a case the hearings that were known at an instant, and what follows from them: the next
// hearing seen from that instant and its link. Versions of hearings are whole: a nil one did not exist.
func (k *caseCalendar) asOf(c *models.CourtCase, p *past, at time.Time) {
	if k == nil { // the case went since it was read
		k = &caseCalendar{link: c.HearingLink, hearings: map[string]*models.Hearing{}}
	}
	known := maps.Clone(k.hearings)
	for field := range p.facts {
		if event, ok := strings.CutPrefix(field, history.HearingField+" "); ok {
			if known[event] = restored(p, field, nil, models.ParseHearing); known[event] == nil {
				delete(known, event)
			}
		}
	}
	c.PastHearings = make([]*models.Hearing, 0, len(known))
	for _, event := range slices.Sorted(maps.Keys(known)) {
		c.PastHearings = append(c.PastHearings, known[event])
	}
	slices.SortStableFunc(c.PastHearings, func(a, b *models.Hearing) int {
		return a.StartsAt.Compare(b.StartsAt)
	})
	c.NextHearing, c.HearingLink = nil, p.optional("hearing_link", k.link)
	for _, h := range c.PastHearings {
		if h.Ahead(at) {
			c.NextHearing = &h.StartsAt
			if h.ZoomLink != nil {
				c.HearingLink = h.ZoomLink
			}
			return
		}
	}
}

// dispositions returns the list of then, for a case whose dispositions changed since; it is never nil. A
// version holds the whole list.
func (p *past) dispositions() []*models.Disposition {
	list := restored(p, history.DispositionsField, nil, func(text string) (out []*models.Disposition, err error) {
		var rows []struct {
			Date     string
			Outcome  string
			Sentence *string
		}
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return nil, err
		}
		for _, r := range rows {
			date, err := models.ParseDate(r.Date)
			if err != nil {
				return nil, err
			}
			out = append(out, &models.Disposition{Date: date, Outcome: r.Outcome, Sentence: r.Sentence})
		}
		return out, nil
	})
	if list == nil {
		return []*models.Disposition{}
	}
	return *list
}

// chargeDetails returns the charges of then one by one, for a booking whose descriptions then were these; nil
// when they did not change since. A version without details has descriptions only.
func (p *past) chargeDetails(descriptions []string) []*models.BookingCharge {
	if _, changed := p.facts[history.ChargesField]; !changed {
		return nil
	}
	list := restored(p, history.ChargesField, nil, func(text string) (out []*models.BookingCharge, err error) {
		var rows []struct {
			Description                                          string
			Statute, Severity, BondAmount, BondText, Disposition *string
			BondKind                                             *models.BondKind
		}
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return nil, err
		}
		for _, r := range rows {
			c := &models.BookingCharge{Description: r.Description, Statute: r.Statute, Severity: r.Severity, BondText: r.BondText, BondKind: r.BondKind, Disposition: r.Disposition}
			if r.BondAmount != nil { // dollars with two digits of cents
				cents, err := strconv.ParseInt(strings.Replace(*r.BondAmount, ".", "", 1), 10, 64)
				if err != nil {
					return nil, err
				}
				c.BondCents = &cents
			}
			out = append(out, c)
		}
		return out, nil
	})
	if list == nil {
		return models.PlainCharges(descriptions)
	}
	return *list
}
