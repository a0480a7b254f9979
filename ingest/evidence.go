package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/ingest/unknown"
	"rollcall/models/snapshot"
)

// past is what the snapshot is compared with. Nothing holds one that an operator released, nor a rehearsal, which asks what a
// release would do.
func (u *run) past() reconcile.Past {
	if u.approved() {
		return reconcile.Past{At: u.entry.LastComplete, Approved: true}
	}
	return reconcile.Past{Rows: u.entry.LastRows, Day: u.most, HeaderFingerprint: u.entry.HeaderFingerprint, At: u.entry.LastComplete, Held: u.entry.HeldSince != nil}
}

// approved reports whether no guard is asked.
func (u *run) approved() bool { return u.released != nil || u.rehearse != nil }

// proven reports whether a complete snapshot shows by itself that nobody is missing from it.
func (u *run) proven() bool { return u.source.proves() && !u.report.Transport.Moving }

// confirmations is how many complete snapshots must lack a record: two at least where one alone proves
// nothing.
// A document can ask for more, never for fewer.
func (u *run) confirmations() int {
	// Where pages moved while they were read, a list that shows its end may lack somebody all the same.
	if u.proven() {
		return u.source.Publish.Confirmations
	}
	return max(u.source.Publish.Confirmations, unprovenConfirmations)
}

// copiesAfter is how long after the first snapshot that lacked somebody one of the same bytes confirms it too. A page that a
// server kept is no day old, and in a small jail nothing may change for weeks. Another file of the department has other bytes.
func (u *run) copiesAfter() time.Duration {
	switch roster := u.source.Kind == "roster"; {
	case u.confirmations() == 1, roster && (u.source.proves() || u.report.Transport.Asked):
		return 0
	case roster:
		return 24 * time.Hour
	default:
		return math.MaxInt64 // never
	}
}

// turned is the guard against keys that mean something else now. Without a complete snapshot to compare with, only
// people it would book a second time count. A rehearsal only notes what it saw.
func (u *run) turned() func(snapshot.KeyTurnover) string {
	switch {
	case u.rehearse != nil:
		return func(t snapshot.KeyTurnover) string {
			u.again = max(t.Again, t.Renumbered)
			return ""
		}
	case u.approved():
		return nil
	default:
		return func(t snapshot.KeyTurnover) string {
			t.Changes = t.Changes || u.entry.LastRows == nil
			return reconcile.KeyTurnover(t, u.source.Complete.Turnover)
		}
	}
}

// upset is the guard on what the run does to people.
func (u *run) upset() func(snapshot.MassChange) string {
	if u.approved() {
		return nil
	}
	return func(up snapshot.MassChange) string {
		up.Releases = u.source.Publish.Policy == "releases"
		return reconcile.MassChange(up, u.source.Complete.Shrink, u.source.Complete.Rewrite)
	}
}

// gone compares what the rows stated with the last complete snapshot. Fields count where there is no header
// that names them; birth dates not where each of several counties is compared by itself (birthless).
func (u *run) gone(now mapping.Reported) (lost, blind []string) {
	last, ok := u.before()
	if !ok {
		return nil, nil
	}
	if !slices.Contains([]decode.Format{decode.JSON, decode.XML, decode.HTML}, u.source.Decode.Format) {
		last.Fields = nil
	}
	if u.source.several() {
		last.Births, last.Flags, now.Unreadable = 0, 0, 0
	}
	lost, blind = reconcile.Gone(last, now)
	switch {
	case u.late():
		return lost, nil
	case len(blind) == 0:
		blind = u.flagless(last, now)
	}
	return lost, blind
}

// birthless compares how many rows of a scope stated when somebody was born, and who is a juvenile, with what its snapshots did
// before: each county of a source has its own way.
func (u *run) birthless(now mapping.Reported) []string {
	last, ok := u.before()
	if !ok || u.late() {
		return nil
	}
	return append(reconcile.Births(last, now), u.flagless(last, now)...)
}

// before is what the last snapshots stated, where this one is compared with it.
func (u *run) before() (last mapping.Reported, ok bool) {
	return last, !u.approved() && len(u.entry.Reported) > 0 && json.Unmarshal(u.entry.Reported, &last) == nil
}

// late reports whether a newer snapshot is known. One from before the source stated births or flags lacks them for ever, and a
// hold of it would never end.
func (u *run) late() bool {
	newest := u.entry.LastComplete
	if !u.source.lists() {
		newest = u.entry.DataAt
	}
	return newest != nil && u.at.Before(*newest)
}

// faded lists the fields whose facts stay, as no row states them any more, in however few rows the last complete
// snapshot had them. It keeps the count in now, for the next snapshot to know of them.
func (u *run) faded(m *mapping.Mapper, now mapping.Reported) []string {
	var last mapping.Reported
	// A jail that reports only changes leaves out what did not change, so a field that no row has is no news there.
	if !u.source.lists() && u.source.Kind != "courts" || now.Rows == 0 || len(u.entry.Reported) == 0 || json.Unmarshal(u.entry.Reported, &last) != nil {
		return nil
	}
	faded := reconcile.Fading(last, now, u.source.lists())
	faded = slices.DeleteFunc(faded, func(field string) bool { return !m.Asked(field) })
	for _, field := range faded {
		now.Fields[field] = min(last.Fields[field], now.Rows)
	}
	if u.source.lists() {
		return faded
	}
	// A delta has few rows: what they tell of is added up, and a field that faded stays as likely as it was.
	for _, field := range faded {
		now.Fields[field] = (last.Fields[field]*now.Rows + last.Rows - 1) / last.Rows
	}
	return faded
}

// remembered is what the next snapshot is compared with: of a source that lists everybody this one, of a delta all of
// them, the older ones counting less, until an operator released one. A file without a row that could have stated a field
// changes nothing.
func (u *run) remembered(now mapping.Reported) mapping.Reported {
	var last mapping.Reported
	if len(u.entry.Reported) == 0 || json.Unmarshal(u.entry.Reported, &last) != nil {
		return now
	}
	switch {
	case now.Rows == 0: // releases by key alone say nothing of what fields there are
		return last
	case u.source.lists(), u.released != nil:
		return now
	default:
		return now.With(last)
	}
}

// evidence gathers what reconcile.Prove judges. What differs by the part of the run is set by verdict: its people, and what is
// missing from its rows.
func (u *run) evidence(g *gathering, staged int, header string) reconcile.Evidence {
	c, total := u.source.Complete, g.facts.Total
	if g.untold {
		total = nil
	}
	return reconcile.Evidence{
		Lists: u.source.lists(), Transport: u.report.Transport.Doubts, Paged: u.paged(), Rows: g.facts.Rows, Staged: staged, Repeated: g.repeated, Slips: g.slips, Unnamed: g.unnamed, Untaken: g.untaken, Own: g.own,
		NeedTotal: c.Total, Total: total, Lines: g.facts.Lines, NeedMarker: c.EndMarker, Marker: len(u.docs) > 0 && !g.unended, HeaderFingerprint: header,
		Proves: u.proven(), MinRows: c.MinRows, Shrink: c.Shrink, HoldDrift: u.source.Drift == "hold", At: u.at,
	}
}

// paged is how many rows were counted on the pages, where each is a record.
func (u *run) paged() int {
	if u.source.Decode.Split.Splits() {
		return 0
	}
	return u.report.Transport.Rows
}

// refuse reports whether the rows that could not be read and those that the identity guard rejected are
// too many together, and notes it as a doubt where it is one more.
// Those that could not be read were counted before (Prove). This asks again when the tables refused more.
func (u *run) refuse(g *gathering, rejected int) bool {
	untaken := g.untaken + rejected
	if !u.source.lists() || !reconcile.TooMany(untaken, g.untaken+g.rows) || reconcile.TooMany(g.untaken, g.untaken+g.rows) {
		return false
	}
	u.report.Doubts = append(u.report.Doubts, reconcile.UntakenDoubt(untaken, g.untaken+g.rows))
	return true
}

// headerPrint is the fingerprint of a header without optional columns, which may come and go. One that was
// known with them stays good.
func (u *run) headerPrint(columns []string) string {
	whole := headerPrint(columns)
	if known := u.entry.HeaderFingerprint; known != nil && *known == whole {
		return whole
	}
	return headerPrint(slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(u.source.Decode.Optional, c) }))
}

// headerPrint is a fingerprint of column names and their order.
func headerPrint(columns []string) string {
	if len(columns) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(columns, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// unknownFields names the fields that are new in rows without a header (package unknown). Without a snapshot before, nothing can
// be new. A rehearsal has none either: its run reported what was.
func (u *run) unknownFields(names *decode.Keys) []string {
	if names == nil || u.rehearse != nil || len(u.entry.Reported) == 0 || len(u.entry.Keys) == 0 {
		return nil
	}
	return unknown.Fields(&u.source.Decode, u.source.Fields, names, u.entry.Keys)
}

// drift names the columns that neither the document nor anybody knows: those of the first snapshot are reported once, and
// those that an operator accepted, as those of a held snapshot that he released, not any more.
func (u *run) drift(columns []string, header string) []string {
	switch known := u.entry.HeaderFingerprint; {
	case known == nil && u.entry.LastSuccess != nil, known != nil && *known == header:
		return nil
	default:
		return u.source.drift(columns)
	}
}

// drift names the columns that the document does not know.
func (s *Source) drift(header []string) []string {
	if len(s.Decode.Columns) == 0 {
		return nil
	}
	var others []string
	for _, c := range header {
		if !s.Decode.Expects(c) {
			others = append(others, fmt.Sprintf("column %q is not known", c))
		}
	}
	return others
}
