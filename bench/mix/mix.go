package mix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// query is one kind of request of the mix, with the requests that are sent in turn.
type query struct {
	name, what string
	requests   []request
}

// sample is what the mix takes its parameters from: records that the service itself lists.
type sample struct {
	bookings []sampleBooking
	// cases are case numbers.
	cases []string
	// gdc are ids of corrections records.
	gdc []string
	// counties are slugs.
	counties []string
	total    int
}

// sampleBooking is what the mix needs of a booking.
type sampleBooking struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Booking time.Time `json:"booking_date"`
}

const (
	// samplePages of 200 records are read of each family. deepOffset is that of query e, if there are as many
	// records.
	samplePages = 10
	deepOffset  = 100_000
)

// nested is query i: 50 records, their matches, the matched records, and the bookings of those.
const nested = `query i($c: String!) { roster(filter: {county: $c}, limit: 50) { records { id name dob county { name } bookingDate releaseDate charges bondAmount status mugshotUrl gdcMatch { confidence mugshotMatch record { gdcId name dob status institution countyRecords { rosterId county { name } bookingDate status } } } } } }`

// newMix asks the service for records and makes the queries a to j of bench/peers from them. Parameters vary
// within a query, so that the response cache is not all that is measured.
func newMix(ctx context.Context, l *loader) ([]query, error) {
	s, err := takeSample(ctx, l)
	if err != nil {
		return nil, err
	}
	get := func(format string, args ...any) request { return request{path: fmt.Sprintf("/v1"+format, args...)} }
	names := func(family string, list ...string) (out []request) {
		for _, n := range list {
			out = append(out, get("/%s?name=%s&limit=50", family, url.QueryEscape(n)))
		}
		return out
	}
	var b, d, f, i, full, last []request
	var people []string
	for _, r := range s.bookings {
		f = append(f, get("/roster/%s", url.PathEscape(r.ID)))
		// Two weeks that end on the day of a booking are never empty.
		day := r.Booking.AddDate(0, 0, -14)
		d = append(d, get("/roster?from_date=%s&to_date=%s&limit=50", day.Format(time.DateOnly), r.Booking.Format(time.DateOnly)))
		people = append(people, r.Name)
	}
	for n, p := range people {
		words := strings.Fields(strings.ReplaceAll(p, ",", ""))
		// Beginnings of four to seven letters, as a reader types them.
		full = append(full, names("roster", words[0][:min(len(words[0]), 4+n%4)])...)
		last = append(last, names("courts", words[0])...)
	}
	for _, c := range s.counties {
		b = append(b, get("/roster?county=%s&status=booked&limit=50", c), get("/roster?county=%s&status=released&limit=50", c))
		body, err := json.Marshal(map[string]any{"query": nested, "variables": map[string]string{"c": c}})
		if err != nil {
			return nil, fmt.Errorf("make query i: %w", err)
		}
		i = append(i, request{path: "/graphql", body: string(body)})
	}
	each := func(list []string, format string) (out []request) {
		for _, v := range list {
			out = append(out, get(format, url.PathEscape(v)))
		}
		return out
	}
	return []query{
		{"a", "newest 50", []request{get("/roster?limit=50")}},
		{"b", "county and status", b},
		{"c1", "name smith", names("roster", "smith")},
		{"c3", "name jo", names("roster", "jo")},
		{"c4", "name smith, john", names("roster", "smith, john")},
		{"c6", "parts of names", full},
		{"d", "two weeks", d},
		// A small set has no record that deep; half of the way through is deep enough then.
		{"e", "deep offset", []request{get("/roster?limit=50&offset=%d", min(deepOffset, s.total/2))}},
		{"f", "roster detail", f},
		{"g", "case with hearings", each(s.cases, "/courts/%s")},
		{"h", "offender with bookings", each(s.gdc, "/corrections/%s")},
		{"i", "GraphQL, 4 levels", i},
		{"j", "courts by defendant", last},
	}, nil
}

// takeSample reads a few pages of each family. Too few records are an error that says how to get some.
func takeSample(ctx context.Context, l *loader) (*sample, error) {
	s := &sample{}
	var counties struct{ Counties []struct{ Slug string } }
	if err := l.list(ctx, "/v1/counties", &counties); err != nil {
		return nil, err
	}
	for _, c := range counties.Counties {
		s.counties = append(s.counties, c.Slug)
	}
	for page := range samplePages {
		var roster struct {
			Total   int
			Records []sampleBooking
		}
		var courts struct {
			Records []struct {
				Number string `json:"case_number"`
			}
		}
		var corrections struct {
			Records []struct {
				ID string `json:"gdc_id"`
			}
		}
		// The largest page that /v1 has.
		at := fmt.Sprintf("?limit=200&offset=%d", page*200)
		if err := errors.Join(
			l.list(ctx, "/v1/roster"+at, &roster), l.list(ctx, "/v1/courts"+at, &courts),
			l.list(ctx, "/v1/corrections"+at, &corrections),
		); err != nil {
			return nil, err
		}
		s.total, s.bookings = roster.Total, append(s.bookings, roster.Records...)
		for _, r := range courts.Records {
			s.cases = append(s.cases, r.Number)
		}
		for _, r := range corrections.Records {
			s.gdc = append(s.gdc, r.ID)
		}
	}
	// Without a family some queries would have no parameters.
	if len(s.bookings) == 0 || len(s.cases) == 0 || len(s.gdc) == 0 {
		return nil, errors.New("there are too few records to measure with: import some first (rollcall import DIR), or run the demo")
	}
	return s, nil
}

// list reads one page. Another status than 200 is an error.
func (l *loader) list(ctx context.Context, path string, into any) error {
	status, err := l.send(ctx, request{path: path}, into)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if status != http.StatusOK {
		return fmt.Errorf("read %s: the service answers %d", path, status)
	}
	return nil
}
