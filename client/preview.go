package client

import (
	"context"
	"net/http"
)

// PreviewRequest is a watcher to try. Fields are those of NewAlert.
type PreviewRequest struct {
	Name      string `json:"name"`
	County    string `json:"county,omitempty"`
	Level     string `json:"level,omitempty"`
	DOB       string `json:"dob,omitempty"`
	BirthYear int    `json:"birth_year,omitempty"`
	Age       int    `json:"age,omitempty"`
	AgeOn     string `json:"age_on,omitempty"`
	// Days to look back, 1 to 30; 0: 30.
	Days int `json:"days,omitempty"`
	// Year asks for AlertPreview.Year, which takes seconds.
	Year bool `json:"year,omitempty"`
}

// AlertPreview is what a watcher would have found.
type AlertPreview struct {
	Meta `json:"-"`
	// ExpectedPer30Days are bookings that would have matched in 30 days.
	ExpectedPer30Days int `json:"expected_per_30_days"`
	// Hits are at most 50. Their ids hold only within this answer.
	Hits []Hit `json:"hits"`
	// Year is nil unless it was asked for.
	Year *AlertYear `json:"year,omitempty"`
	// WrongPerYear are alerts a year to expect about people whose names do not fit, for an average name; nil unless the
	// year was asked for, and for a last name alone.
	WrongPerYear *float64 `json:"wrong_per_year,omitempty"`
}

// AlertYear is what a watcher would have found among the bookings of the last 365 days.
type AlertYear struct {
	// Bookings would have matched: ByName under the watched name itself, ByVariant under another way of writing it.
	Bookings  int `json:"bookings"`
	ByName    int `json:"by_name"`
	ByVariant int `json:"by_variant"`
	// Days of which all bookings are known, in the county that is known longest. CountiesLater are known for fewer.
	Days          int `json:"days"`
	CountiesLater int `json:"counties_later"`
	// Estimate is of a whole year; nil when one is known, and when fewer than 30 days are.
	Estimate *int `json:"estimate"`
	// CountiesCovered are those of the watched ones whose jails a source reports.
	CountiesCovered int `json:"counties_covered"`
	// Narrowings would leave fewer, the most helpful first.
	Narrowings []AlertNarrowing `json:"narrowings"`
}

// AlertNarrowing is what a narrower watcher would have found.
type AlertNarrowing struct {
	// By is county, birth_year, birth_date or middle_name.
	By string `json:"by"`
	// County is the slug, if By is county.
	County *string `json:"county"`
	// Bookings would be left at most.
	Bookings int `json:"bookings"`
}

// PreviewAlert returns what a watcher would have found among the bookings of the last days. Nothing is stored or sent.
func (c *Client) PreviewAlert(ctx context.Context, r PreviewRequest) (AlertPreview, error) {
	return send[AlertPreview](ctx, c, http.MethodPost, "/alerts/preview", r)
}
