package transport

import (
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/limit"
	"rollcall/internal/answers"
	"rollcall/internal/sunset"
	"rollcall/models"
)

// keptText bounds the operations whose answers are cached, in bytes of text with variables.
const keptText = 8 << 10

// keptAnswer is a cached answer with what its headers say.
type keptAnswer struct {
	body  []byte
	spent limit.Spent
	goes  sunset.Notice
}

// label sets the headers that say what an operation costs, and that a field of it goes.
func (h *handler) label(w http.ResponseWriter, spent limit.Spent, goes sunset.Notice) {
	spent.Label(w.Header())
	goes.Label(w.Header(), h.options.Root)
}

// keyOf returns the key of a response in the cache, or "" for a response that is never cached. It
// holds everything but the records that a response depends on: method, media type, text with
// variables. The caller is no part of it, because KeptFields are the same for every caller.
func keyOf(method, media string, text []byte) string {
	if len(text) > keptText || media == eventMedia {
		return ""
	}
	if method != http.MethodPost {
		method = http.MethodGet
	}
	return method + media + " " + string(text)
}

// find returns the cached body of a key. An operation may show records of every family, so a change
// of any ends it. at is the moment before execution, to be passed on to Keep.
func (h *handler) find(key string) (found keptAnswer, ok bool, at answers.Moment) {
	if key == "" {
		return found, false, at
	}
	return h.kept.Find(key, models.Roster, models.Courts, models.Corrections)
}

// KeptFields are the fields whose value depends on nothing but records, by their types: it is the same for every caller
// and changes only with a record. A field that is missing here is not cached, so a new field is safe until somebody has
// decided about it. Left out are sources, freshness, lastSeen and how late a schedule is: they change with the clock or
// with a read of the source, and a cached answer would state them wrongly.
var KeptFields = map[string][]string{
	"Query":      {"roster", "rosterRecord", "courts", "courtCases", "corrections", "correctionsRecord", "counties", "node"},
	"Node":       {"id"},
	"County":     {"slug", "name", "fips"},
	"PageInfo":   {"endCursor", "hasNextPage"},
	"RosterPage": {"total", "limit", "offset", "records", "pageInfo"},
	"RosterRecord": {
		"id", "name", "dob", "birthYear", "county", "bookingDate", "releaseDate", "releaseInferred", "releaseBasis", "charges", "chargeDetails",
		"bondAmount", "agency", "status", "mugshotUrl", "gdcMatch", "courts", "firstSeen", "lastChange", "history",
	},
	"Charge":          {"description", "statute", "severity", "bondAmount", "bondText", "bondKind", "disposition"},
	"GdcMatch":        {"gdcId", "confidence", "mugshotMatch", "correctionsUrl", "reasons", "record"},
	"CorrectionsPage": {"total", "limit", "offset", "records", "pageInfo"},
	"CorrectionsRecord": {
		"id", "gdcId", "name", "dob", "birthYear", "category", "categories", "institution", "sentence", "status", "releaseDate",
		"releaseDateProjected", "paroleEndDate", "countyRecords", "courts", "firstSeen", "lastChange", "history",
	},
	"CountyRecord": {"rosterId", "county", "bookingDate", "status", "rosterUrl", "confidence", "reasons", "record"},
	"CourtPage":    {"total", "limit", "offset", "records", "pageInfo"},
	"CourtCase": {
		"id", "caseNumber", "defendant", "offense", "courtType", "county", "filedDate", "filedDateInferred", "bailAmount",
		"status", "judge", "nextHearing", "hearingLink", "hearings", "dispositions", "people", "firstSeen", "lastChange", "history",
	},
	"CourtLink":    {"confidence", "reasons", "case", "rosterRecord", "correctionsRecord"},
	"Hearing":      {"date", "time", "judge", "location", "zoomLink"},
	"Disposition":  {"date", "outcome", "sentence"},
	"RecordChange": {"at", "field", "before", "after", "mergedFrom"},
}

// steady reports whether the answer of an operation depends on nothing but records. An answer that
// depends on the caller must never be cached: another account would be sent it.
func steady(op *graphql.OperationContext) bool {
	return op.Operation.Operation == ast.Query && allKept(op.Operation.SelectionSet)
}

// allKept reports whether every field of a selection is listed in KeptFields, through all
// fragments.
func allKept(set ast.SelectionSet) bool {
	for _, s := range set {
		ok := false
		switch s := s.(type) {
		case *ast.Field:
			ok = s.Name == "__typename" || slices.Contains(KeptFields[s.ObjectDefinition.Name], s.Name) && allKept(s.SelectionSet)
		case *ast.InlineFragment:
			ok = allKept(s.SelectionSet)
		case *ast.FragmentSpread:
			ok = allKept(s.Definition.SelectionSet)
		}
		if !ok {
			return false
		}
	}
	return true
}
