package rest

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"rollcall/graph/generated"
	"rollcall/internal/jsontext"
	"rollcall/models"
)

// eventKinds returns the kinds that bodies may name, in the order in which responses list them.
func eventKinds() []models.EventKind { return models.EventKinds() }

// matchLevels returns the levels of the contract; requests may write them in any letter case.
func matchLevels() []models.MatchLevel {
	return []models.MatchLevel{models.LevelStrict, models.LevelNormal, models.LevelWide}
}

// listAlerts answers GET /alerts with the account's watchers, newest first, paused ones included.
// Deleted ones are not listed. A label narrows to those that bear it.
func (h *api) listAlerts(a *answer, r *http.Request) error {
	p := newParams(r.URL.RawQuery)
	at := p.cursorPage()
	label := p.text("label")
	if p.err != nil {
		return p.err
	}
	page, err := h.root.Query().Alerts(r.Context(), &at.limit, &at.offset, label, at.after, nil)
	if err != nil {
		return cursorError(err)
	}
	a.openList(page.Total, page.Limit, page.Offset, "alerts")
	for _, w := range page.Watchers {
		a.alert(w)
	}
	a.closeList()
	return h.link(a, r, at, page.PageInfo.HasNextPage, page.PageInfo.End)
}

// showAlert answers GET /alerts/{id}. Another account's watcher is 404.
func (h *api) showAlert(a *answer, r *http.Request) error {
	w, err := h.alertOf(r)
	if err != nil {
		return err
	}
	a.alert(w)
	return nil
}

// alertOf reads the watcher that the path names. Handlers call it first, so that 404 comes before
// 400.
func (h *api) alertOf(r *http.Request) (*models.Watcher, error) {
	id, err := pathText(r, "id")
	if err != nil {
		return nil, err
	}
	return h.root.Query().Alert(r.Context(), id)
}

// createAlert answers POST /alerts with 201 and the watcher (SPEC.md, "POST /alerts"). Every
// member is read before done, which refuses members that nobody asked for. 400 for a name that
// could hit nobody, with the reason. The store decides that, for GraphQL too. Left out, county is
// all counties, events is all three, and level is normal.
func (h *api) createAlert(a *answer, r *http.Request, b *body) (int, error) {
	in := generated.CreateAlertInput{
		Name: b.required("name"), County: b.text("county"), Events: words(b, "events", eventKinds()...), Dob: b.day("dob"),
		BirthYear: b.integer("birth_year"), Age: b.integer("age"), AgeOn: b.day("age_on"), Level: word(b, "level", matchLevels()...), Label: b.text("label"), Note: b.text("note"),
		Paused: b.boolean("paused"),
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	w, err := h.root.Mutation().CreateAlert(r.Context(), in)
	if err != nil {
		return 0, err
	}
	a.alert(w)
	return http.StatusCreated, nil
}

// changeAlert answers PATCH /alerts/{id}. An absent member stays as it is; a member that is null
// returns to its default (RFC 7396). The watcher is read first: without it, a mistake in the body
// would be 400 even where the watcher belongs to another account.
func (h *api) changeAlert(a *answer, r *http.Request, b *body) (int, error) {
	w, err := h.alertOf(r)
	if err != nil {
		return 0, err
	}
	normal, none, running := models.LevelNormal, "", false
	in := generated.UpdateAlertInput{
		Name: b.text("name"), County: removable(b, "county", b.text("county")), Dob: removable(b, "dob", b.day("dob")),
		BirthYear: removable(b, "birth_year", b.integer("birth_year")), Age: removable(b, "age", b.integer("age")), AgeOn: removable(b, "age_on", b.day("age_on")),
		Events: words(b, "events", eventKinds()...), Level: orDefault(b, "level", word(b, "level", matchLevels()...), normal),
		Label: orDefault(b, "label", b.text("label"), none), Note: orDefault(b, "note", b.text("note"), none),
		Paused: orDefault(b, "paused", b.boolean("paused"), running),
	}
	if in.Events == nil && b.has("events") {
		in.Events = eventKinds()
	}
	if in.Name == nil && b.has("name") {
		b.fail("name", "name must be a string: a watcher always has one")
	}
	if err := b.done(); err != nil {
		return 0, err
	}
	if in.IfVersion, err = seen(r, func(e *encoder) { e.alert(w) }, w.State); err != nil {
		return 0, err
	}
	if w, err = h.root.Mutation().UpdateAlert(r.Context(), w.ID, in); err != nil {
		return 0, matched(err)
	}
	a.alert(w)
	return http.StatusOK, nil
}

// orDefault returns the value of a member, its default if the member is there as null, or nil if
// it is absent.
func orDefault[T any](b *body, name string, v *T, otherwise T) *T {
	if v == nil && b.has(name) {
		return &otherwise
	}
	return v
}

// removable returns a member that null takes away and that stays as it is where it is absent.
func removable[T any](b *body, name string, v *T) graphql.Omittable[*T] {
	if v == nil && !b.has(name) {
		return graphql.Omittable[*T]{}
	}
	return graphql.OmittableOf(v)
}

// deleteAlert answers DELETE /alerts/{id} with 204; a second call is 404. Its pending deliveries
// are dropped, and one that is on the wire may still arrive.
func (h *api) deleteAlert(_ *answer, r *http.Request, _ *body) (int, error) {
	w, err := h.alertOf(r)
	if err != nil {
		return 0, err
	}
	is, err := seen(r, func(e *encoder) { e.alert(w) }, w.State)
	if err != nil {
		return 0, err
	}
	_, err = h.root.Mutation().DeleteAlert(r.Context(), w.ID, is)
	return http.StatusNoContent, matched(err)
}

// previewAlert answers POST /alerts/preview with what a watcher of this body would have found. It
// stores nothing. days is 1 to 30, default 30. With year it says what twelve months would have brought. The hits have ids of their own, which no other
// address knows.
func (h *api) previewAlert(a *answer, r *http.Request, b *body) (int, error) {
	name, county, level := b.required("name"), b.text("county"), word(b, "level", matchLevels()...)
	dob, birthYear, age, ageOn := b.day("dob"), b.integer("birth_year"), b.integer("age"), b.day("age_on")
	days, year := b.integer("days"), b.boolean("year")
	if err := b.done(); err != nil {
		return 0, err
	}
	p, err := h.root.Query().PreviewAlert(r.Context(), name, county, level, days, dob, birthYear, age, ageOn)
	if err != nil {
		return 0, err
	}
	a.object()
	a.number("expected_per_30_days", p.ExpectedPer30Days)
	a.array("hits")
	for _, hit := range p.Hits {
		if err := h.hit(r.Context(), a, hit); err != nil {
			return 0, err
		}
	}
	a.endArray()
	if year != nil && *year {
		y, err := h.root.AlertPreview().Year(r.Context(), p)
		if err != nil {
			return 0, err
		}
		a.year(y)
		if p.WrongPerYear != nil {
			a.small("wrong_per_year", *p.WrongPerYear)
		}
	}
	a.endObject()
	return http.StatusOK, nil
}

// year writes what a watcher would have found in twelve months.
func (e *encoder) year(y *generated.AlertYear) {
	e.name("year")
	e.object()
	e.number("bookings", y.Bookings)
	e.number("by_name", y.ByName)
	e.number("by_variant", y.ByVariant)
	e.number("days", y.Days)
	e.number("counties_later", y.CountiesLater)
	e.optionalNumber("estimate", y.Estimate)
	e.number("counties_covered", y.CountiesCovered)
	e.array("narrowings")
	for _, n := range y.Narrowings {
		e.object()
		e.text("by", n.By.String())
		if n.County == nil {
			e.null("county")
		} else {
			e.text("county", n.County.Slug)
		}
		e.number("bookings", n.Bookings)
		e.endObject()
	}
	e.endArray()
	e.endObject()
}

// alert writes a watcher: the members of SPEC.md, and those optional ones that were set. So a
// client that does not use them sees exactly what SPEC.md lists (DECISIONS, "Alerts").
func (e *encoder) alert(w *models.Watcher) {
	e.object()
	e.text("id", w.ID)
	e.text("name", w.Name)
	if w.County == nil {
		e.null("county")
	} else {
		e.text("county", w.County.Slug)
	}
	texts(e, "events", w.Events)
	e.instant("created_at", w.CreatedAt.UTC())
	if w.Dob != nil {
		e.date("dob", *w.Dob)
	}
	if w.BirthYear != nil {
		e.number("birth_year", *w.BirthYear)
	}
	if w.Age != nil && w.AgeOn != nil {
		e.number("age", *w.Age)
		e.date("age_on", *w.AgeOn)
	}
	if w.Level != models.LevelNormal {
		e.text("level", string(w.Level))
	}
	if w.Label != nil {
		e.text("label", *w.Label)
	}
	if w.Note != nil {
		e.text("note", *w.Note)
	}
	if w.Paused {
		e.bool("paused", true)
	}
	e.endObject()
}

// texts writes an array of words.
func texts[T ~string](e *encoder, name string, list []T) {
	e.array(name)
	for _, v := range list {
		e.next()
		e.b = jsontext.Append(e.b, string(v))
	}
	e.endArray()
}

// hit writes a match of a watcher with the booking as it is now. verdict is what the account said
// about it, null when nothing.
func (h *api) hit(ctx context.Context, a *answer, hit *models.Hit) error {
	booking, err := h.root.AlertHit().Record(ctx, hit)
	if err != nil {
		return err
	}
	a.object()
	a.text("id", hit.ID)
	a.name("record")
	if err := h.booking(ctx, a, booking); err != nil {
		return err
	}
	a.endObject()
	a.fraction("probability", hit.Probability)
	a.texts("reasons", hit.Reasons)
	a.optionalText("verdict", (*string)(hit.Feedback))
	a.instant("at", hit.At.UTC())
	if hit.Scope != nil && *hit.Scope == models.ThisSpelling {
		a.text("scope", string(*hit.Scope))
	}
	a.endObject()
	return nil
}
