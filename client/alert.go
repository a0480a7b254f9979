package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// Kinds of events. The last four are notices, which arrive by webhook alone.
const (
	EventBooking    = "booking"
	EventRelease    = "release"
	EventBondChange = "bond_change"

	EventRetraction      = "retraction"
	EventWithheld        = "sealed"
	EventSourceStale     = "source_stale"
	EventSourceRecovered = "source_recovered"
)

// Alert is a watcher of a name. Fields with omitempty are absent unless they were set.
type Alert struct {
	Meta `json:"-"`
	// ID is opaque.
	ID string `json:"id"`
	// Name is the one watched.
	Name string `json:"name"`
	// County is a slug; nil: all counties.
	County *string `json:"county"`
	// Events are the kinds that it makes.
	Events []string `json:"events"`
	// CreatedAt is UTC.
	CreatedAt time.Time `json:"created_at"`
	// DOB is a date of birth, YYYY-MM-DD.
	DOB string `json:"dob,omitempty"`
	// BirthYear is a year of birth.
	BirthYear int `json:"birth_year,omitempty"`
	// Age was stated on the day AgeOn, YYYY-MM-DD.
	Age   int    `json:"age,omitempty"`
	AgeOn string `json:"age_on,omitempty"`
	// Level is strict or wide; empty: normal.
	Level string `json:"level,omitempty"`
	// Label and Note are your own.
	Label string `json:"label,omitempty"`
	Note  string `json:"note,omitempty"`
	// Paused watchers make no events.
	Paused bool `json:"paused,omitempty"`
}

// NewAlert is a watcher to create. Empty fields are left to their defaults.
type NewAlert struct {
	// Name is the full name of the person. A single word is a last name, and needs County, DOB, BirthYear or Age.
	Name string `json:"name"`
	// County is a slug; empty: all counties.
	County string `json:"county,omitempty"`
	// Events are kinds; empty: all three.
	Events []string `json:"events,omitempty"`
	// DOB is a date of birth, YYYY-MM-DD.
	DOB string `json:"dob,omitempty"`
	// BirthYear is a year of birth, where only that is known.
	BirthYear int `json:"birth_year,omitempty"`
	// Age is that of the day AgeOn; without AgeOn, of today.
	Age   int    `json:"age,omitempty"`
	AgeOn string `json:"age_on,omitempty"`
	// Level is strict, normal or wide; empty: normal.
	Level string `json:"level,omitempty"`
	// Label and Note are your own, at most 200 and 2000 characters.
	Label string `json:"label,omitempty"`
	Note  string `json:"note,omitempty"`
	// Paused creates it paused.
	Paused bool `json:"paused,omitempty"`
}

// AlertChange is what to change of a watcher: Set a field, Clear it, or leave it.
type AlertChange struct {
	Name      Change[string]   `json:"name,omitzero"`
	County    Change[string]   `json:"county,omitzero"`
	DOB       Change[string]   `json:"dob,omitzero"`
	BirthYear Change[int]      `json:"birth_year,omitzero"`
	Age       Change[int]      `json:"age,omitzero"`
	AgeOn     Change[string]   `json:"age_on,omitzero"`
	Events    Change[[]string] `json:"events,omitzero"`
	Level     Change[string]   `json:"level,omitzero"`
	Label     Change[string]   `json:"label,omitzero"`
	Note      Change[string]   `json:"note,omitzero"`
	Paused    Change[bool]     `json:"paused,omitzero"`
}

// Hit is a record that a watcher matched.
type Hit struct {
	// ID is opaque.
	ID string `json:"id"`
	// Record is the booking as it stands now.
	Record Booking `json:"record"`
	// Probability is 0 to 1, by what was compared.
	Probability float64 `json:"probability"`
	// Reasons are the grounds.
	Reasons []string `json:"reasons"`
	// Feedback is confirm, dismiss or unsure; nil: none was given.
	Feedback *string `json:"verdict"`
	// Scope is spelling where a dismissal covers everybody whose name is written so; empty otherwise.
	Scope string `json:"scope,omitempty"`
	// At is when it was matched, UTC.
	At time.Time `json:"at"`
}

// Feedback says whether a hit is the person meant.
type Feedback struct {
	// Answer is confirm, dismiss or unsure, which takes either back.
	Answer string `json:"verdict"`
	// Scope is what dismiss covers, person or spelling; empty: person.
	Scope string `json:"scope,omitempty"`
}

// Alerts yields the account's watchers, newest first, paused ones too.
func (c *Client) Alerts(ctx context.Context) iter.Seq2[Alert, error] {
	return all[Alert](ctx, c, "/alerts", "alerts", url.Values{})
}

// Alert returns one watcher.
func (c *Client) Alert(ctx context.Context, id string) (Alert, error) {
	return show[Alert](ctx, c, "/alerts/"+url.PathEscape(id))
}

// CreateAlert makes a watcher. It sees what is detected from now on.
func (c *Client) CreateAlert(ctx context.Context, n NewAlert) (Alert, error) {
	return send[Alert](ctx, c, http.MethodPost, "/alerts", n)
}

// ChangeAlert changes a watcher and returns it as it is now.
func (c *Client) ChangeAlert(ctx context.Context, id string, change AlertChange) (Alert, error) {
	return send[Alert](ctx, c, http.MethodPatch, "/alerts/"+url.PathEscape(id), change)
}

// DeleteAlert deletes a watcher. One that is gone already is CodeNotFound.
func (c *Client) DeleteAlert(ctx context.Context, id string) error {
	_, err := c.call(ctx, http.MethodDelete, "/alerts/"+url.PathEscape(id), nil, nil)
	return err
}

// Hits yields what a watcher matched, newest first.
func (c *Client) Hits(ctx context.Context, alertID string) iter.Seq2[Hit, error] {
	return all[Hit](ctx, c, "/alerts/"+url.PathEscape(alertID)+"/hits", "hits", url.Values{})
}

// GiveFeedback says whether a hit is the person meant, and returns the hit as it is now.
func (c *Client) GiveFeedback(ctx context.Context, hitID string, f Feedback) (Hit, error) {
	return send[Hit](ctx, c, http.MethodPost, "/hits/"+url.PathEscape(hitID)+"/feedback", f)
}

// send makes a change and returns what the service answers.
func send[T any](ctx context.Context, c *Client, method, path string, in any) (T, error) {
	var v T
	h, err := c.call(ctx, method, path, in, &v)
	if m, fresh := any(&v).(interface{ set(Meta) }); fresh && err == nil {
		m.set(metaOf(h))
	}
	return v, err
}
