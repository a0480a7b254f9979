package models

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// caseCalendar is what is known today of a case's calendar, from which versions lead back.
type caseCalendar struct {
	link     *string             // of the case itself, not of its next hearing
	hearings map[string]*Hearing // by the court's number of the hearing; cancelled ones are left out
}

// calendarsOf reads the calendars of cases by key.
func (s *Store) calendarsOf(ctx context.Context, keys []int64) (map[int64]*caseCalendar, error) {
	rows, err := s.pool.Query(ctx, `select c.id, c.hearing_link, h.event, h.date, h.time, h.starts_at, h.judge, h.location, h.link
 from court_cases c left join hearings h on h.case_id = c.id and not h.cancelled where c.id = any($1)`, keys)
	if err != nil {
		return nil, fmt.Errorf("read calendars: %w", err)
	}
	out := make(map[int64]*caseCalendar, len(keys))
	var (
		key                                       int64
		own, event, clock, judge, location, video *string
		date                                      *Date
		starts                                    *time.Time
	)
	_, err = pgx.ForEachRow(rows, []any{&key, &own, &event, &date, &clock, &starts, &judge, &location, &video}, func() error {
		c := out[key]
		if c == nil {
			c = &caseCalendar{link: own, hearings: map[string]*Hearing{}}
			out[key] = c
		}
		if event != nil {
			c.hearings[*event] = &Hearing{Date: *date, Time: clock, StartsAt: starts.In(Georgia), Judge: judge, Location: location, ZoomLink: video}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read calendars: %w", err)
	}
	return out, nil
}

// asOf gives a case the hearings that were known at an instant, and what follows from them.
func (k *caseCalendar) asOf(c *CourtCase, p *past, at time.Time) {
	if k == nil { // the case went since it was read
		k = &caseCalendar{link: c.HearingLink, hearings: map[string]*Hearing{}}
	}
	known := maps.Clone(k.hearings)
	for field := range p.facts {
		if event, ok := strings.CutPrefix(field, hearingField+" "); ok {
			if known[event] = restored(p, field, nil, parseHearing); known[event] == nil {
				delete(known, event)
			}
		}
	}
	c.PastHearings = make([]*Hearing, 0, len(known))
	for _, event := range slices.Sorted(maps.Keys(known)) {
		c.PastHearings = append(c.PastHearings, known[event])
	}
	slices.SortStableFunc(c.PastHearings, func(a, b *Hearing) int {
		return a.StartsAt.Compare(b.StartsAt)
	})
	c.NextHearing, c.HearingLink = nil, p.optional("hearing_link", k.link)
	for _, h := range c.PastHearings {
		if h.ahead(at) {
			c.NextHearing = &h.StartsAt
			if h.ZoomLink != nil {
				c.HearingLink = h.ZoomLink
			}
			return
		}
	}
}

// parseHearing reads what a version row says of a hearing.
func parseHearing(text string) (Hearing, error) {
	var v struct {
		StartsAt                    time.Time
		Date                        string
		Time, Judge, Location, Link *string
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return Hearing{}, err
	}
	date, err := ParseDate(v.Date)
	return Hearing{Date: date, Time: v.Time, StartsAt: v.StartsAt.In(Georgia), Judge: v.Judge, Location: v.Location, ZoomLink: v.Link}, err
}

// dispositions gives the list of a case that has changed since; it is never nil.
func (p *past) dispositions() []*Disposition {
	list := restored(p, dispositionsField, nil, func(text string) (out []*Disposition, err error) {
		var rows []struct {
			Date     string
			Outcome  string
			Sentence *string
		}
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return nil, err
		}
		for _, r := range rows {
			date, err := ParseDate(r.Date)
			if err != nil {
				return nil, err
			}
			out = append(out, &Disposition{Date: date, Outcome: r.Outcome, Sentence: r.Sentence})
		}
		return out, nil
	})
	if list == nil {
		return []*Disposition{}
	}
	return *list
}

// chargeDetails gives the charges one by one of a booking whose descriptions then were these; nil when they
// did not change since.
func (p *past) chargeDetails(descriptions []string) []*BookingCharge {
	if _, changed := p.facts[chargesField]; !changed {
		return nil
	}
	list := restored(p, chargesField, nil, func(text string) (out []*BookingCharge, err error) {
		var rows []struct {
			Description                                          string
			Statute, Severity, BondAmount, BondText, Disposition *string
		}
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return nil, err
		}
		for _, r := range rows {
			c := &BookingCharge{Description: r.Description, Statute: r.Statute, Severity: r.Severity, BondText: r.BondText, Disposition: r.Disposition}
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
		return PlainCharges(descriptions)
	}
	return *list
}
