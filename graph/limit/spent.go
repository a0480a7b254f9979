package limit

import (
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// spentKey names the cost of an operation in its statistics.
const spentKey = "rollcall.cost"

// Spent is what an operation costs, of what it may.
type Spent struct{ Cost, Most int }

// Note stores with an operation what it costs.
func (s Spent) Note(op *graphql.OperationContext) { op.Stats.SetExtension(spentKey, s) }

// SpentBy returns what was noted of an operation.
func SpentBy(op *graphql.OperationContext) Spent {
	s, _ := op.Stats.GetExtension(spentKey).(Spent)
	return s
}

// Label sets the headers that say it.
func (s Spent) Label(h http.Header) {
	h.Set("X-GraphQL-Cost", strconv.Itoa(s.Cost))
	h.Set("X-GraphQL-Cost-Limit", strconv.Itoa(s.Most))
}

// Append adds the member extensions to an answer, which is a JSON object with members.
func (s Spent) Append(answer []byte) []byte {
	b := answer[:len(answer)-1]
	b = append(b, `,"extensions":{"cost":{"requested":`...)
	b = strconv.AppendInt(b, int64(s.Cost), 10)
	b = append(b, `,"limit":`...)
	return append(strconv.AppendInt(b, int64(s.Most), 10), "}}}"...)
}
