package person

import (
	"context"
	"slices"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// section is the records of one family, or those that are possible.
type section struct {
	ID          string
	Title, Hint words.Text
	// Total is how many there are; Rows has rowsShown of them at most.
	Total int
	Rows  []row
}

// row is a record with what joins it to the person.
type row struct {
	ID, Path, Title string
	Chip            fact.Chip
	Facts           words.Text // in one line
	Texts           []string   // charges or the offense, as they were written
	Why             []why      // the surest first
	Report          string     // where it is reported as somebody else's; empty: nowhere
}

// why is a link in one line.
type why struct {
	Sure    fact.Chip
	With    words.Text // what the record is linked with
	Reasons words.Text
}

// hitRow is a hit of an alert of the account.
type hitRow struct {
	AlertID, Alert string
	// Line tells the alert from others with its name.
	Line   words.Text
	Record string // id of the booking
	At     time.Time
	Answer fact.Chip
}

// Bounds of the page, which stays below 100 kB: rows of a section, and links that a row shows.
const (
	rowsShown = 20
	whyShown  = 2
)

// sections returns the person's own records, each with what joins it to the others; then those that are possible.
func sections(p *models.Person, bonds map[int64]models.Bond) (all []section) {
	of := map[string][]why{}
	for _, l := range p.Links {
		of[l.FromID()] = append(of[l.FromID()], whyOf(l, l.To))
		of[l.ToID()] = append(of[l.ToID()], whyOf(l, l.From))
	}
	add := func(id string, title words.Text, records []*models.PersonRecord) {
		s := section{ID: id, Title: title, Total: len(records)}
		for _, r := range records[:min(len(records), rowsShown)] {
			one := rowOf(r, bonds)
			one.Why = of[one.ID][:min(len(of[one.ID]), whyShown)]
			s.Rows = append(s.Rows, one)
		}
		if len(s.Rows) > 0 {
			all = append(all, s)
		}
	}
	var stays, cases, sentences []*models.PersonRecord
	for _, b := range p.Stays {
		stays = append(stays, &models.PersonRecord{Booking: b})
	}
	for _, c := range p.Cases {
		cases = append(cases, &models.PersonRecord{Case: c})
	}
	for _, o := range p.Sentences {
		sentences = append(sentences, &models.PersonRecord{Corrections: o})
	}
	add("stays", words.T("Jail bookings"), stays)
	add("cases", words.T("Court cases"), cases)
	add("sentences", words.T("State corrections"), sentences)
	if rows := maybe(p, bonds); len(rows) > 0 {
		all = append(all, section{
			ID: "possible", Title: words.T("Possibly the same person"), Total: len(rows), Rows: rows[:min(len(rows), rowsShown)],
			Hint: words.T("These records share a name, or a name and a birth year. That is not enough to join them to this person."),
		})
	}
	return all
}

// bookingsOf returns the bookings that the page shows, those that are possible too.
func bookingsOf(p *models.Person) []*models.Booking {
	all := slices.Clone(p.Stays)
	for _, l := range p.Possible {
		if l.To.Booking != nil {
			all = append(all, l.To.Booking)
		}
	}
	return all
}

// maybe returns the records that may be the person's, each once.
func maybe(p *models.Person, bonds map[int64]models.Bond) []row {
	var all []row
	place := map[string]int{}
	for _, l := range p.Possible {
		i, ok := place[l.ToID()]
		if !ok {
			i = len(all)
			place[l.ToID()] = i
			all = append(all, rowOf(l.To, bonds))
		}
		if len(all[i].Why) < whyShown {
			all[i].Why = append(all[i].Why, whyOf(l, l.From))
		}
	}
	return all
}

// whyOf is a link as one line, seen from the end that is not with.
func whyOf(l *models.PersonLink, with *models.PersonRecord) why {
	w := why{Sure: fact.Sure(l.Confidence), With: called(with), Reasons: fact.Listed(l.Reasons)}
	if len(w.Reasons) == 0 {
		w.Reasons = words.T("no reasons were recorded")
	}
	return w
}

// called names a record in a sentence.
func called(r *models.PersonRecord) words.Text {
	switch {
	case r.Booking != nil:
		return words.T("the {1} County booking of {2}", r.Booking.County.Name, words.Day(models.DateOf(r.Booking.BookingDate.In(models.Georgia))))
	case r.Case != nil:
		return words.T("the case {1}", r.Case.CaseNumber)
	}
	return words.T("the state record {1}", r.Corrections.GdcID)
}

// rowOf is a record as a row.
func rowOf(r *models.PersonRecord, bonds map[int64]models.Bond) row {
	out := row{ID: r.ID(), Title: r.Name()}
	switch {
	case r.Booking != nil:
		b := r.Booking
		out.Path, out.Chip = "/roster/"+b.ID, fact.Custody(b)
		out.Facts = words.Join(" · ", words.T("{1} County", b.County.Name), words.T("booked {1}", words.When(b.BookingDate)),
			fact.Released(b.Release()), fact.BondLine(bonds[b.RID]))
		out.Texts = b.Charges
	case r.Case != nil:
		c := r.Case
		facts := []words.Text{words.T("case {1}", c.CaseNumber), words.T("{1} court", fact.Word(c.CourtType)), words.T("{1} County", c.County.Name), words.T("filed {1}", words.Day(c.FiledDate))}
		if c.NextHearing != nil {
			facts = append(facts, words.T("next hearing {1}", words.When(c.NextHearing)))
		}
		out.Path, out.Chip, out.Facts, out.Texts = "/cases/"+c.ID(), fact.State(c.Status), words.Join(" · ", facts...), []string{c.Offense}
	default:
		o := r.Corrections
		out.Path, out.Chip = "/corrections/"+o.GdcID, fact.State(o.Status)
		facts := []words.Text{words.T("offender id {1}", o.GdcID), words.Plain(page.CalmName(text(o.Institution))), page.Term(text(o.Sentence))}
		switch {
		case o.ReleaseDate == nil:
		case o.ReleaseDateProjected:
			facts = append(facts, words.T("projected release {1}", words.Day(*o.ReleaseDate)))
		default:
			facts = append(facts, words.T("released {1}", words.Day(*o.ReleaseDate)))
		}
		out.Facts = words.Join(" · ", facts...)
	}
	return out
}

// bornRow is rowOf with the birth that the record states first. Cases show none.
func bornRow(r *models.PersonRecord, bonds map[int64]models.Bond) row {
	out, born := rowOf(r, bonds), words.Text(nil)
	switch {
	case r.Booking != nil:
		born = fact.Born(r.Booking.Dob, r.Booking.BirthYear)
	case r.Corrections != nil:
		born = fact.Born(r.Corrections.Dob, r.Corrections.BirthYear)
	}
	out.Facts = words.Join(" · ", born, out.Facts)
	return out
}

// whereabouts is where a person is: held by a jail, else as the department says, else released.
func whereabouts(p *models.Person) fact.Chip {
	if held := p.Status(); held != nil && *held == models.Booked {
		return fact.CustodyOf(p.Stays)
	}
	for _, o := range p.Sentences {
		if o.Status != models.UnknownCustody {
			return fact.State(o.Status)
		}
	}
	return fact.CustodyOf(p.Stays)
}

// line sums a person up.
func line(p *models.Person) words.Text {
	var counties []string
	for _, b := range p.Stays {
		if !slices.Contains(counties, b.County.Name) {
			counties = append(counties, b.County.Name)
		}
	}
	parts := []words.Text{fact.Born(p.Dob, p.BirthYear)}
	if n := len(p.Stays); n > 0 {
		const most = 3
		names := words.Plain(strings.Join(counties[:min(len(counties), most)], ", "))
		if len(counties) > most {
			names = words.T("{1} and other counties", names)
		}
		parts = append(parts, words.T("{1 booking|bookings} ({2}), last booked {3}", n, names, words.When(p.Stays[0].BookingDate)))
	}
	if n := len(p.Cases); n > 0 {
		parts = append(parts, words.T("{1 court case|court cases}", n))
	}
	if len(p.Sentences) > 0 {
		parts = append(parts, words.T("state record {1}", p.Sentences[0].GdcID))
	}
	return words.Join(" · ", parts...)
}

// handled are where hits stand in the inbox, as a word with a tone.
var handled = map[models.HitState]fact.Chip{
	models.HitUnread: {Word: words.T("unread"), Tone: "accent"}, models.HitRead: {Word: words.T("read")},
	models.HitAssigned:  {Word: words.T("assigned"), Tone: "accent"},
	models.HitConfirmed: {Word: words.T("confirmed"), Tone: "good"}, models.HitDismissed: {Word: words.T("not them")},
}

// hits returns hits with the names of their alerts.
func (s Site) hits(ctx context.Context, accountID string, found []*models.Hit) (rows []hitRow, err error) {
	ids := make([]string, len(found))
	for i, h := range found {
		ids[i] = h.WatcherID
	}
	watchers, err := s.Store.WatchersByID(ctx, accountID, ids)
	if err != nil {
		return nil, err
	}
	byID := map[string]*models.Watcher{}
	for _, w := range watchers {
		byID[w.ID] = w
	}
	for _, h := range found {
		w := byID[h.WatcherID]
		if w == nil { // the alert was deleted
			continue
		}
		rows = append(rows, hitRow{AlertID: w.ID, Alert: w.Name, Line: fact.AlertLine(w), Record: h.RecordID, At: h.At, Answer: handled[h.State]})
	}
	return rows, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
