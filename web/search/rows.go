package search

import (
	"net/url"
	"strconv"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/picture"
	"rollcall/web/words"
)

// row is a result in one line.
type row struct {
	Path  string
	Name  marked
	Chip  fact.Chip
	Cells []cell
	// Picture is the photograph of a booking; nil: none is shown.
	Picture *picture.Picture
}

// cell is a fact of a row: words of ours, or those of a source. An empty one keeps its column.
type cell struct {
	Text words.Text
	// Source is how the source writes it, and Said how people do.
	Source, Said string
	// More counts what was left out, such as other charges.
	More int
}

// longCell is from how many letters on a cell may be cut, so that its title has it whole.
const longCell = 20

// Long reports whether the words of a cell may be cut.
func (c cell) Long() bool { return len([]rune(c.Text.String())) > longCell }

// Differs reports whether people write it otherwise than its source.
func (c cell) Differs() bool { return c.Source != c.Said }

// pictureSide bounds a photograph, in pixels.
const pictureSide = 48

// bookingPath is the address of a booking.
func bookingPath(b *models.Booking) string { return "/roster/" + url.PathEscape(b.ID) }

// bookingRow is a booking as a row.
func bookingRow(b *models.Booking, bond models.Bond, pictures map[int64]*picture.Picture, query []string, sought sought) row {
	return row{
		Path: bookingPath(b), Name: markedName(b.Name, query), Chip: fact.Custody(b), Picture: pictures[b.RID],
		Cells: []cell{
			{Text: words.T("{1} County", b.County.Name)},
			{Text: words.T("booked {1}", dayOf(b))},
			{Text: fact.Born(b.Dob, b.BirthYear)},
			sought.chargeOf(b),
			{Text: fact.BondLine(bond)},
		},
	}
}

// dayOf is the day of a booking in Georgia.
func dayOf(b *models.Booking) words.Text {
	return words.Day(models.DateOf(b.BookingDate.In(models.Georgia)))
}

// caseRow is a court case as a row.
func caseRow(c *models.CourtCase, query []string) row {
	filed := words.T("filed {1}", words.Day(c.FiledDate))
	if c.FiledDateInferred {
		filed = words.T("known since {1}", words.Day(c.FiledDate))
	}
	var hearing words.Text
	if c.NextHearing != nil {
		hearing = words.T("hearing {1}", words.Day(models.DateOf(c.NextHearing.In(models.Georgia))))
	}
	return row{
		Path: "/cases/" + url.PathEscape(c.ID()), Name: markedName(c.Defendant, query), Chip: fact.State(c.Status),
		Cells: []cell{
			{Text: words.T("{1} County", c.County.Name)},
			{Source: c.CaseNumber, Said: c.CaseNumber},
			{Text: filed},
			{Source: c.Offense, Said: page.Calm(c.Offense)},
			{Text: hearing},
		},
	}
}

// offenderRow is a corrections record as a row.
func offenderRow(o *models.CorrectionsRecord, query []string) row {
	institution := models.EmptyIfNil(o.Institution)
	return row{
		Path: "/corrections/" + url.PathEscape(o.GdcID), Name: markedName(o.Name, query), Chip: fact.State(o.Status),
		Cells: []cell{
			{Source: o.GdcID, Said: o.GdcID},
			{Text: fact.Word(o.Category)},
			{Text: fact.Born(o.Dob, o.BirthYear)},
			{Source: institution, Said: page.CalmName(institution)},
			{},
		},
	}
}

// tableRow is a booking in the table.
type tableRow struct {
	Path                   string
	Name                   marked
	Born                   words.Text // empty: it is not stated
	Booked, Released, Bond words.Text
	Chip                   fact.Chip // where nobody was released
	County                 string
	Charge                 cell
}

func tableRowOf(b *models.Booking, bond models.Bond, query []string, sought sought) tableRow {
	r := tableRow{
		Path: bookingPath(b), Name: markedName(b.Name, query), Booked: words.When(b.BookingDate), Chip: fact.Custody(b),
		County: b.County.Name, Charge: sought.chargeOf(b),
	}
	switch {
	case b.Dob != nil:
		r.Born = words.Day(*b.Dob)
	case b.BirthYear != nil:
		r.Born = words.Plain(strconv.Itoa(*b.BirthYear))
	}
	r.Released, r.Bond = fact.Released(b.Release()), fact.Bond(bond)
	return r
}
