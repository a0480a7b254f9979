package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// County is one of Georgia's 159 counties.
type County struct {
	// Slug is as requests write it, such as ben-hill.
	Slug string `json:"slug"`
	// Name is as answers display it.
	Name string `json:"name"`
	// FIPS is the code of the Census.
	FIPS string `json:"fips"`
}

// Source is a source of records and how fresh it is.
type Source struct {
	// ID is stable.
	ID string `json:"id"`
	// County is a slug; nil: the rows name the county, or the source is statewide.
	County *string `json:"county"`
	// Kind is roster, courts or corrections.
	Kind string `json:"kind"`
	// State is ok, late, down, held or refused.
	State string `json:"state"`
	// LastAttempt is nil before the first.
	LastAttempt *time.Time `json:"last_attempt"`
	// LastSuccess is nil before the first.
	LastSuccess *time.Time `json:"last_success"`
	// LagSeconds counts from the last success.
	LagSeconds *int `json:"lag_seconds"`
	// Note says why it is not current; nil: it is.
	Note *string `json:"note"`
	// Coverage has the slugs of the counties that its rows have named.
	Coverage []string `json:"coverage"`
}

// Usage is the use of the account's request limit.
type Usage struct {
	Meta `json:"-"`
	// Limit is in requests within any 60 seconds; 0: unlimited.
	Limit int `json:"limit"`
	// Remaining is what is left now.
	Remaining int `json:"remaining"`
	// ResetSeconds is as openapi.json describes it.
	ResetSeconds int `json:"reset_seconds"`
	// LastDay has an entry for each hour, oldest first.
	LastDay []UsageHour `json:"last_day"`
}

// UsageHour is the requests of one hour.
type UsageHour struct {
	// Hour is its beginning, UTC.
	Hour time.Time `json:"hour"`
	// Requests were answered.
	Requests int `json:"requests"`
	// Limited were refused with 429.
	Limited int `json:"limited"`
}

// Counties yields all counties by slug.
func (c *Client) Counties(ctx context.Context) iter.Seq2[County, error] {
	return all[County](ctx, c, "/counties", "counties", url.Values{})
}

// Sources yields every source that is enabled or has ever run.
func (c *Client) Sources(ctx context.Context) iter.Seq2[Source, error] {
	return all[Source](ctx, c, "/sources", "sources", url.Values{})
}

// Usage returns what is left of the request limit. The request itself counts.
func (c *Client) Usage(ctx context.Context) (Usage, error) { return show[Usage](ctx, c, "/usage") }

// show reads one thing.
func show[T any](ctx context.Context, c *Client, path string) (T, error) {
	var v T
	h, err := c.call(ctx, http.MethodGet, path, nil, &v)
	if m, fresh := any(&v).(interface{ set(Meta) }); fresh && err == nil {
		m.set(metaOf(h))
	}
	return v, err
}

// set keeps how fresh an answer is.
func (m *Meta) set(of Meta) { *m = of }
