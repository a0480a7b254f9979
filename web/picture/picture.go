// Package picture shows photographs of bookings on pages. Its template, "photograph", is among those that all pages share.
package picture

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/models/store"
	"rollcall/web/words"
)

// Album finds the photographs of bookings.
type Album struct {
	Store *store.Store
	// Address returns an address of the small photograph of a booking, by its public id, that works for some minutes; nil: none is shown.
	Address func(bookingID string) string
}

// Picture is a small photograph as a page shows it. When its address is over, scripts ask for another one (static/photograph.js).
type Picture struct {
	// ID is that of its booking.
	ID string
	// Path is its address on the origin of the page, whatever name that was opened by.
	Path string
	// Width and Height are in pixels.
	Width, Height int
	TakenAt       time.Time
}

// Of returns the photographs of bookings by their RID, none higher or wider than side pixels. A booking without one is left out.
func (a Album) Of(ctx context.Context, bookings []*models.Booking, side int) (map[int64]*Picture, error) {
	var rids []int64
	for _, b := range bookings {
		if b.HasPhoto {
			rids = append(rids, b.RID)
		}
	}
	if len(rids) == 0 || a.Address == nil {
		return nil, nil
	}
	found, err := a.Store.PhotographsOf(ctx, rids)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]*Picture, len(found))
	for _, b := range bookings {
		if p := found[b.RID]; p != nil {
			if out[b.RID], err = of(b.ID, p, a.Address(b.ID), side); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// of returns a photograph, made smaller where it is larger than side.
func of(id string, p *photograph.Shown, address string, side int) (*Picture, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read the address of a photograph: %w", err)
	}
	longest := max(p.SmallWidth, p.SmallHeight, side)
	scaled := func(n int) int { return (n*side + longest/2) / longest }
	return &Picture{ID: id, Path: u.EscapedPath(), Width: scaled(p.SmallWidth), Height: scaled(p.SmallHeight), TakenAt: p.TakenAt}, nil
}

// Alt describes the photograph to who does not see it.
func (p *Picture) Alt() words.Text {
	return words.T("booking photograph of the jail, {1}", words.Day(models.DateOf(p.TakenAt.In(models.Georgia))))
}
