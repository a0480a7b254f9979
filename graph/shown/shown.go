// Package shown notes which records the answer of a GraphQL operation shows. It decides nothing about who may see them.
package shown

import (
	"context"
	"reflect"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"rollcall/models"
)

// Records are those that an answer shows, by their public ids. An answer that is kept is forgotten when one of them
// is withheld, and the client need not have asked for their ids. It is safe for concurrent use, as fields are.
type Records struct {
	mu  sync.Mutex
	ids map[string]bool
}

// Note has an operation note the records that its fields return.
func Note(op *graphql.OperationContext) *Records {
	s, inner := &Records{ids: map[string]bool{}}, op.ResolverMiddleware
	op.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		got, err := inner(ctx, next)
		s.note(got)
		return got, err
	}
	return s
}

// note adds the records that a field returned, one or a list of them. Each type that says something of a record, and can
// be asked for without it, has its case here.
func (s *Records) note(got any) {
	switch v := got.(type) {
	case *models.Booking:
		if v != nil {
			s.add(v.ID)
		}
	case *models.CourtCase:
		if v != nil {
			s.add(v.ID())
		}
	case *models.CorrectionsRecord:
		if v != nil {
			s.add(v.GdcID)
		}
	case *models.CountyRecord:
		if v != nil {
			s.add(v.RosterID(), v.GdcID)
		}
	case *models.GdcLink:
		if v != nil {
			s.add(v.GdcID)
		}
	case *models.Hit:
		if v != nil {
			s.add(v.RecordID)
		}
	case *models.CalendarSubscription:
		if v != nil && v.CaseID != "" {
			s.add(v.CaseID)
		}
	case *models.EventFacts:
		if v != nil {
			s.add(v.RecordID)
		}
	default:
		if list := reflect.ValueOf(got); list.Kind() == reflect.Slice {
			for i := range list.Len() {
				if e := list.Index(i); e.Kind() == reflect.Pointer {
					s.note(e.Interface())
				}
			}
		}
	}
}

// add notes public ids.
func (s *Records) add(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		s.ids[id] = true
	}
}

// IDs returns the public ids of the records, in no order, when the operation has ended.
func (s *Records) IDs() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.ids {
		ids = append(ids, id)
	}
	return ids
}
