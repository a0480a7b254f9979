package record

import (
	"context"
	"net/url"
	"slices"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/picture"
	"rollcall/web/words"
)

// bookingBody is what the page of a booking shows.
type bookingBody struct {
	common
	Booking *models.Booking
	Charges chargeTable
	// Bond is that of the whole booking.
	Bond models.Bond
	// Cases are the linked cases, as many as there are.
	Cases []*models.CourtCase
	// Photograph is nil where none is shown.
	Photograph *picture.Picture
}

// booking shows a booking.
func (s Site) booking(v *page.Visit) error {
	ctx := v.R.Context()
	b, err := s.Store.BookingByID(ctx, v.Param("id"))
	if err != nil {
		return page.Hidden(err)
	}
	body := &bookingBody{Booking: b}
	body.common = common{
		Crumb:  CrumbOf(v, b.Name),
		Person: everything(b.ID), Watch: Watch(b.Name, b.Dob, b.BirthYear), LastChange: b.LastChange, FirstSeen: b.FirstSeen, Release: b.Release(),
		Request: "GET /v1/roster/" + b.ID, Operation: "showRosterRecord",
	}
	if err := s.read(ctx, &body.common, models.Roster, b.RID, b.SourceID); err != nil {
		return err
	}
	if err := s.readCharges(ctx, body); err != nil {
		return err
	}
	if err := s.readPhotograph(ctx, body); err != nil {
		return err
	}
	if err := s.linkBooking(ctx, body); err != nil {
		return err
	}
	return s.Pages.Page(v, "booking", page.View{Title: page.CalmName(b.Name), Script: "record", Body: body})
}

// readCharges reads the charges. Where the source states descriptions only, charges have nothing else.
func (s Site) readCharges(ctx context.Context, b *bookingBody) error {
	found, err := s.Store.ChargesOf(ctx, []int64{b.Booking.RID})
	if err != nil {
		return err
	}
	charges := found[b.Booking.RID]
	if len(charges) == 0 {
		charges = models.PlainCharges(b.Booking.Charges)
	}
	b.Charges, b.Bond = chargesOf(charges), models.BondOf(b.Booking.BondCents, charges)
	return nil
}

// readPhotograph reads the photograph.
func (s Site) readPhotograph(ctx context.Context, b *bookingBody) error {
	found, err := s.Album.Of(ctx, []*models.Booking{b.Booking}, pictureSide)
	b.Photograph = found[b.Booking.RID]
	return err
}

// linkBooking reads the records that are linked with the booking.
func (s Site) linkBooking(ctx context.Context, b *bookingBody) error {
	rid := b.Booking.RID
	courts, err := s.Store.CourtLinksOfBookings(ctx, []int64{rid})
	if err != nil {
		return err
	}
	cases, err := s.casesOf(ctx, courts[rid])
	if err != nil {
		return err
	}
	matches, err := s.Store.GdcLinksOf(ctx, []int64{rid})
	if err != nil {
		return err
	}
	var state, others []link
	if match := matches[rid]; match != nil {
		records, err := s.Store.CorrectionsByKeys(ctx, []int64{match.CID})
		if err != nil {
			return err
		}
		bookings, err := s.Store.CountyRecordsOf(ctx, []int64{match.CID})
		if err != nil {
			return err
		}
		if o := records[match.CID]; o != nil {
			one := offenderLink(o, match.Confidence, match.Reasons)
			one.Faces = match.MugshotMatch
			state, others = []link{one}, bookingLinksBy(match, bookings[match.CID])
		}
	}
	b.Cases = casesIn(cases)
	b.Links = linksOf(b.Booking.Name, words.T("No state corrections record or court case is linked to this booking."),
		familyOf(words.T("State corrections"), state), familyOf(words.T("Other bookings linked to this state record"), others),
		familyOf(words.T("Court cases"), cases))
	return nil
}

// casesOf reads the cases at the ends of links.
func (s Site) casesOf(ctx context.Context, found []*models.CourtLink) ([]link, error) {
	keys := make([]int64, len(found))
	for i, k := range found {
		keys[i] = k.CaseKey
	}
	cases, err := s.Store.CourtCasesByKeys(ctx, keys)
	if err != nil {
		return nil, err
	}
	return caseLinks(found, cases), nil
}

// casesIn returns the cases of links.
func casesIn(all []link) []*models.CourtCase {
	out := make([]*models.CourtCase, len(all))
	for i, l := range all {
		out[i] = l.Case
	}
	return out
}

// Born is what is known of the birth.
func (b *bookingBody) Born() words.Text { return fact.Born(b.Booking.Dob, b.Booking.BirthYear) }

// State is where the person is, as far as the jail says.
func (b *bookingBody) State() fact.Chip { return fact.Custody(b.Booking) }

// Total is the bond of the booking in words.
func (b *bookingBody) Total() words.Text { return fact.Bond(b.Bond) }

// ReleaseName and ReleaseNote are what the release is called, and what nobody reported of it.
func (b *bookingBody) ReleaseName() words.Text { return fact.ReleaseName(b.Release) }

// ReleaseNote is described at ReleaseName.
func (b *bookingBody) ReleaseNote() words.Text { return fact.ReleaseNote(b.Release) }

// StayName and Stay are how long a person who was released was held, or was listed where nobody reported a release.
func (b *bookingBody) StayName() words.Text { return fact.StayName(b.Release) }

// Stay is described at StayName.
func (b *bookingBody) Stay() words.Text {
	stay := fact.Stay(b.Booking.BookingDate, b.Release.At)
	if b.Release.Basis != models.ReleaseReported {
		return words.T("about {1}", stay)
	}
	return stay
}

// SinceDay reports whether the jail stated no time of the booking, so that only the day is known since when the person is held.
func (b *bookingBody) SinceDay() bool { return models.DayAlone(b.Booking.BookingDate) }

// Next is the linked case whose hearing comes next; nil when none is scheduled.
func (b *bookingBody) Next() *models.CourtCase {
	ahead := slices.DeleteFunc(slices.Clone(b.Cases), func(c *models.CourtCase) bool { return c.NextHearing == nil })
	if len(ahead) == 0 {
		return nil
	}
	return slices.MinFunc(ahead, func(x, y *models.CourtCase) int { return x.NextHearing.Compare(*y.NextHearing) })
}

// NextPath is the address of that case.
func (b *bookingBody) NextPath() string { return "/cases/" + url.PathEscape(b.Next().ID()) }

// chargeTable is the charges, and which of their columns any of them has.
type chargeTable struct {
	Rows                    []charge
	Statute, Severity, Bond bool
	// InWords is true where a bond is stated in words, which need the whole width of a card.
	InWords bool
}

// charge is a charge as the page shows it.
type charge struct {
	*models.BookingCharge
	Grave fact.Chip // how grave it is; without a word where the source does not say
	Bond  bond
}

// chargesOf returns the charges in the order of the source.
func chargesOf(all []*models.BookingCharge) (t chargeTable) {
	for _, c := range all {
		one := charge{BookingCharge: c, Bond: bondOf(c.BondCents, c.BondText)}
		if c.Severity != nil {
			one.Grave = fact.Severity(page.Calm(*c.Severity))
		}
		t.Rows = append(t.Rows, one)
		t.Statute = t.Statute || c.Statute != nil
		t.Severity = t.Severity || c.Severity != nil
		t.InWords = t.InWords || c.BondText != nil
		t.Bond = t.Bond || c.BondCents != nil || c.BondText != nil
	}
	return t
}

// pictureSide is how many pixels high or wide a photograph is shown at most.
const pictureSide = 240
