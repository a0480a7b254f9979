package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/models"
	"rollcall/models/alert"
)

// Hits returns the hits of the caller's account on the bookings of a person.
func (r *personResolver) Hits(ctx context.Context, obj *models.Person) ([]*models.Hit, error) {
	if _, err := accountOf(ctx, ofAlerts); err != nil {
		return nil, err
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	lists := make([][]*models.Hit, len(obj.Stays))
	for i, b := range obj.Stays {
		if lists[i], err = l.HitsOn.Load(ctx, b.RID); err != nil {
			return nil, err
		}
	}
	list := alert.NewestHits(lists...)
	return orEmpty(list), loader.ExpectHits(ctx, list)
}

// Person returns the person of a record, whichever record it is. A withheld one is not found.
func (r *queryResolver) Person(ctx context.Context, id string) (*models.Person, error) {
	p, err := r.store.PersonByID(ctx, id)
	if err != nil {
		return nil, err
	}
	return p, loader.ExpectPeople(ctx, []*models.Person{p})
}

// People returns a page of the people under a name.
func (r *queryResolver) People(ctx context.Context, name string, county *string, limit *int, after *string) (*models.PeoplePage, error) {
	page, err := models.PeopleAt(limit, after)
	if err != nil {
		return nil, err
	}
	out, err := r.store.People(ctx, models.PeopleFilter{Name: name, County: county}, page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectPeople(ctx, out.People)
}

// Person returns the person whose booking a record is.
func (r *rosterRecordResolver) Person(ctx context.Context, obj *models.Booking) (*models.Person, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Persons.Load(ctx, obj.RID)
}

func (r *Resolver) Person() generated.PersonResolver { return &personResolver{r} }

type personResolver struct{ *Resolver }
