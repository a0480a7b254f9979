package search

import (
	"context"
	"strings"

	"rollcall/models"
)

// byNumber finds the records that bear a number, whatever else is asked: the booking of a record id, cases with a part of their number,
// and the record of an offender id. Courts write their letters large.
func (s Site) byNumber(ctx context.Context, f *found) error {
	number, at := f.asked.Number, models.Page{Limit: numbered}
	b, err := s.Store.BookingByID(ctx, strings.ToLower(number))
	switch code := models.CodeOf(err); {
	case err == nil:
		pictures, err := s.Album.Of(ctx, []*models.Booking{b}, pictureSide)
		if err != nil {
			return err
		}
		bonds, err := s.Store.BondsOf(ctx, []*models.Booking{b})
		if err != nil {
			return err
		}
		f.ByNumber = append(f.ByNumber, bookingRow(b, bonds[b.RID], pictures, nil, sought{}))
	case code != models.CodeNotFound && code != models.CodeInvalidParameter:
		return err
	}
	cases, err := s.Store.ListCourtCases(ctx, caseNumber(number), at)
	if upper := strings.ToUpper(number); err == nil && cases.Total == 0 && upper != number {
		cases, err = s.Store.ListCourtCases(ctx, caseNumber(upper), at)
	}
	if err != nil {
		return err
	}
	for _, c := range cases.Records {
		f.ByNumber = append(f.ByNumber, caseRow(c, nil))
	}
	f.Others = cases.Total - len(cases.Records)
	upper := strings.ToUpper(number)
	offenders, err := s.Store.ListCorrections(ctx, models.CorrectionsFilter{GdcID: &upper}, at)
	if err != nil {
		return err
	}
	for _, o := range offenders.Records {
		f.ByNumber = append(f.ByNumber, offenderRow(o, nil))
	}
	return nil
}

// charged finds the bookings that have the words in a charge, where nobody is called so.
func (s Site) charged(ctx context.Context, f *found) error {
	a := f.asked.charged()
	if a == nil || len(f.Groups) > 0 || f.asked.more != "" {
		return nil
	}
	g, err := s.bookings(ctx, &found{asked: a})
	if err != nil || g.Total == 0 {
		return err
	}
	f.Charged, f.ChargeWords, f.Groups = g.Total, *a.narrow.Charge, []group{*g}
	return nil
}
