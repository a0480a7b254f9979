package resolve

import (
	"bytes"
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// OffenderFacts are what a corrections source claims of an offender.
type OffenderFacts struct {
	Name        string       `json:"name"`                        // as the source writes it
	DOB         *models.Date `json:"dob,omitempty"`               // nil: not stated
	BirthYear   int16        `json:"birth_year,omitempty"`        // 0: not stated; set whenever DOB is
	Category    string       `json:"category"`                    // offender, parolee, sex_offender
	Categories  []string     `json:"categories"`                  // all that hold, Category first
	Institution string       `json:"institution,omitempty"`       // empty: not stated
	Sentence    string       `json:"sentence,omitempty"`          // a length, as the source writes it
	Status      string       `json:"status"`                      // incarcerated, paroled, released, unknown
	StatusText  string       `json:"status_text,omitempty"`       // as the source writes it, when unknown
	ReleaseDate *models.Date `json:"release_date,omitempty"`      // past, or to come where Projected is set; nil: not stated
	Projected   bool         `json:"release_projected,omitempty"` // the release is planned and not over
	ParoleEnd   *models.Date `json:"parole_end_date,omitempty"`   // nil: not stated
}

// OffenderClaim is what a source says of an offender.
type OffenderClaim = Claim[OffenderFacts]

// Fields are the facts in the order and the text form of their history.
func (f *OffenderFacts) Fields() []Field {
	return []Field{
		{"name", Text(f.Name)},
		{"dob", DateText(f.DOB)},
		{"birth_year", NumberText(f.BirthYear)},
		{"category", Text(f.Category)},
		{"categories", ListText(f.Categories)},
		{"institution", Text(f.Institution)},
		{"sentence", Text(f.Sentence)},
		{"status", Text(f.Status)},
		{"release_date", DateText(f.ReleaseDate)},
		{"release_projected", BoolText(f.Projected)},
		{"parole_end_date", DateText(f.ParoleEnd)},
	}
}

// FoldOffender folds a row into a claim and reports whether the row is the newest of the claim. A row older
// than what is known adds evidence of age and nothing else. kept names the facts that stay only because their
// fields are missing from the snapshot.
func FoldOffender(c *OffenderClaim, row *snapshot.CorrectionsRow, missing MissingFields) (newest bool, kept []string) {
	at := Instant(row.SeenAt)
	late := !c.SaidAt.IsZero() && at.Before(c.LastSeen())
	c.Age.Add(Age{At: at, Withheld: row.Withheld, DOB: row.DOB, Year: row.BirthYear}, late)
	c.Age.Named(row.Name, at, c.LastSeen())
	if late {
		return false, nil
	}
	facts := offenderFacts(row)
	if c.SaidAt.IsZero() {
		c.FirstAt = at
	} else {
		kept = facts.keep(&c.Facts, missing)
		facts.Name = NameKept(c.Facts.Name, facts.Name)
		c.Changed(c.Facts.Fields(), facts.Fields(), at)
	}
	c.Facts, c.SaidAt = facts, at
	if c.Fingerprint = row.Fingerprint; len(kept) > 0 || row.Fingerprint == nil {
		c.Fingerprint = []byte{} // the row is looked at again when the field is back
	}
	return true, kept
}

// offenderFacts are the facts of a row.
func offenderFacts(r *snapshot.CorrectionsRow) OffenderFacts {
	return OffenderFacts{
		Name: r.Name, DOB: r.DOB, BirthYear: r.BirthYear, Category: r.Category, Categories: r.Categories, Institution: r.Institution, Sentence: r.Sentence,
		Status: r.Status, StatusText: r.StatusText, ReleaseDate: r.ReleaseDate, Projected: r.ReleaseProjected, ParoleEnd: r.ParoleEnd,
	}
}

// keep leaves known facts as they are of which a row says nothing, and names those of missing fields.
func (f *OffenderFacts) keep(known *OffenderFacts, missing MissingFields) (kept []string) {
	if f.DOB == nil {
		f.DOB = known.DOB
	}
	if f.BirthYear == 0 {
		f.BirthYear = known.BirthYear
	}
	if f.Status == unknownStatus {
		f.Status = known.Status
	}
	if f.Institution == "" && known.Institution != "" && missing.Any("offender.institution") {
		f.Institution, kept = known.Institution, append(kept, "institution")
	}
	if f.Sentence == "" && known.Sentence != "" && missing.Any("offender.sentence", "sentence.length", "sentence.years", "sentence.months", "sentence.days") {
		f.Sentence, kept = known.Sentence, append(kept, "sentence")
	}
	if f.ReleaseDate == nil && known.ReleaseDate != nil && missing.Any("offender.release_date", "sentence.max_release", "sentence.min_release") {
		f.ReleaseDate, f.Projected, kept = known.ReleaseDate, known.Projected, append(kept, "release date")
	}
	if f.ParoleEnd == nil && known.ParoleEnd != nil && missing.Any("offender.parole_end", "sentence.probation_end") {
		f.ParoleEnd, kept = known.ParoleEnd, append(kept, "parole end date")
	}
	return kept
}

// unknownStatus is the status of a record whose source writes one that the document does not map.
const unknownStatus = "unknown"

// OffenderState is what a corrections record is.
type OffenderState struct {
	Facts      OffenderFacts // as published, or as they would be
	Visibility Visibility    // whether it may be shown, and if not why
	Spent      []int64       // decisions to publish whose grounds hold no more
	Source     string        // that reported it first
	LastSeen   time.Time     // by any source
}

// Fields are what its history keeps: the facts, and whether it is published.
func (s *OffenderState) Fields() []Field {
	return append(s.Facts.Fields(), Field{"withheld", Text(string(s.Visibility.Withheld()))})
}

// OffenderInput is what a corrections record is resolved from.
type OffenderInput struct {
	Claims    []*OffenderClaim // all of the record
	Decisions []Decision       // those in force about it
	Before    OffenderState    // as it is stored; zero: it is new
	Now       time.Time        // when it is resolved
}

// Offender resolves the claims of a corrections record.
func Offender(in OffenderInput) OffenderState {
	out := in.Before
	grounds := GroundsOf(in.Claims, models.Published)
	if len(in.Claims) == 0 { // a record that nobody claims is what it is
		if grounds.Vanished = in.Before.Visibility.Reason == models.WithheldVanished; !grounds.Vanished {
			grounds.Own = in.Before.Visibility.Reason
		}
	} else {
		leads := Leads(in.Claims)
		out.Facts = offender(leads, Births(in.Claims))
		out.Facts.Name = NameKept(in.Before.Facts.Name, out.Facts.Name)
		out.Source, out.LastSeen = Oldest(in.Claims).Source.ID, lastSeen(in.Claims, in.Before.LastSeen)
		grounds.Own = Ages(in.Claims)
		if dob := out.Facts.DOB; grounds.Own == models.Published && dob != nil && undated(leads) && Minor(*dob, models.DateOf(SaidAt(leads).In(models.Georgia))) {
			grounds.Own = models.WithheldJuvenile
		}
		grounds.Vanished = vanished(in.Claims)
	}
	out.Visibility, out.Spent = Decide(grounds, in.Decisions, in.Before.Visibility, in.Now)
	return out
}

// offender picks the facts of the lead claims.
func offender(leads []*OffenderClaim, b Birth) OffenderFacts {
	f := OffenderFacts{DOB: b.DOB, BirthYear: b.Year, Status: unknownStatus}
	f.Name, _ = Pick(leads, "name", func(f *OffenderFacts) (string, bool) { return f.Name, true })
	_, by := Pick(leads, "category", func(f *OffenderFacts) (string, bool) { return f.Category, true })
	f.Category, f.Categories = by.Facts.Category, by.Facts.Categories
	f.Institution, _ = Pick(leads, "institution", func(f *OffenderFacts) (string, bool) { return f.Institution, f.Institution != "" })
	f.Sentence, _ = Pick(leads, "sentence", func(f *OffenderFacts) (string, bool) { return f.Sentence, f.Sentence != "" })
	if _, by = Pick(leads, "status", func(f *OffenderFacts) (string, bool) { return f.Status, f.Status != unknownStatus }); by != nil {
		f.Status = by.Facts.Status
	}
	if _, by = Pick(leads, "status_text", func(f *OffenderFacts) (string, bool) { return f.StatusText, f.StatusText != "" }); by != nil {
		f.StatusText = by.Facts.StatusText
	}
	_, by = Pick(leads, "release_date", func(f *OffenderFacts) (*models.Date, bool) { return f.ReleaseDate, f.ReleaseDate != nil })
	if by != nil {
		f.ReleaseDate, f.Projected = by.Facts.ReleaseDate, by.Facts.Projected
	}
	f.ParoleEnd, _ = Pick(leads, "parole_end_date", func(f *OffenderFacts) (*models.Date, bool) { return f.ParoleEnd, f.ParoleEnd != nil })
	return f
}

// vanished reports whether every source that lists everybody lacks the record in enough complete files. Absence
// hides an offender, it never releases anybody.
func vanished(claims []*OffenderClaim) bool {
	some := false
	for _, c := range claims {
		if c.Source.Import || !c.Source.Lists {
			continue
		}
		if c.Present {
			return false
		}
		some = true
	}
	return some
}

// undated reports whether a lead claim's newest row leaves the date of birth out.
func undated(leads []*OffenderClaim) bool {
	return slices.ContainsFunc(leads, func(c *OffenderClaim) bool { return c.Age.BirthAt.Before(c.SaidAt) })
}

// SameFingerprint reports whether a row is the one that was folded in last.
func (h *Head) SameFingerprint(row []byte) bool {
	return len(h.Fingerprint) > 0 && bytes.Equal(h.Fingerprint, row)
}

// NameKey is the name as it is looked up.
func (f *OffenderFacts) NameKey() string { return match.SearchKey(f.Name) }
