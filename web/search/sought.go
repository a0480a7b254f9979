package search

import (
	"context"
	"slices"
	"strings"

	"rollcall/match"
	"rollcall/models"
	"rollcall/web/page"
)

// sought is what a search asks of charges: a row shows the charge that has it.
type sought struct {
	// words are the folded words of the filter; none: it asks nothing.
	words []string
	// stated are the charges with their statutes by booking, where the source states more than descriptions.
	stated map[int64][]*models.BookingCharge
}

// soughtIn reads what of some bookings has the words of a filter.
func (s Site) soughtIn(ctx context.Context, filter string, bookings []*models.Booking) (out sought, err error) {
	if out.words = match.Words(filter); len(out.words) == 0 {
		return out, nil
	}
	rids := make([]int64, len(bookings))
	for i, b := range bookings {
		rids[i] = b.RID
	}
	out.stated, err = s.Store.ChargesOf(ctx, rids)
	return out, err
}

// chargeOf is the first charge of a booking that has what is sought, or else its first one, and how many more there are.
func (s sought) chargeOf(b *models.Booking) cell {
	if len(b.Charges) == 0 {
		return cell{}
	}
	shown := max(0, slices.IndexFunc(s.texts(b), s.in))
	return cell{Source: b.Charges[shown], Said: page.Calm(b.Charges[shown]), More: len(b.Charges) - 1}
}

// texts are the charges of a booking with their statutes.
func (s sought) texts(b *models.Booking) []string {
	texts := slices.Clone(b.Charges)
	if stated := s.stated[b.RID]; len(stated) == len(texts) {
		for i, c := range stated {
			texts[i] += " " + models.EmptyIfNil(c.Statute)
		}
	}
	return texts
}

// in reports whether each of the words begins a word of a charge.
func (s sought) in(text string) bool {
	has := match.Words(text)
	return !slices.ContainsFunc(s.words, func(word string) bool {
		return !slices.ContainsFunc(has, func(w string) bool { return strings.HasPrefix(w, word) })
	})
}
