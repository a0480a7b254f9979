package limit

import (
	"math"
	"time"

	"rollcall/graph/generated"
	"rollcall/models"
	"rollcall/models/mirror"
)

// SimilarNames is how many similar names are shown; all are counted.
const SimilarNames = 20

// PreviewHits is how many records a preview shows; all are counted.
const PreviewHits = 50

// Bounds of a list of names in one operation: the bytes of its text, and its names.
const (
	ImportBytes = 512 << 10
	ImportLines = 5000
)

// Assumed lengths of lists without a limit argument, for the cost of an operation. They are
// typical, not largest, lengths: a county record more costs little, a query of a whole page must
// pass. previewCost is more than half of what an operation may cost, so that it holds one preview,
// or one import: each compares a watcher with a month of bookings. yearCost is that of twelve. findCost is that of a search among the names of all
// watchers of an account, gatherCost that of finding the records of one person, and scanCost that of a list that SQL finds and
// sorts among all bookings.
const (
	countyRecordsEach = 4
	courtLinksEach    = 2
	hearingsEach      = 8
	dispositionsEach  = 2
	casesOfANumber    = 4
	allCounties       = 159
	allSources        = 60
	changesEach       = 3
	countiesEach      = 2
	allFeeds          = 50
	usageHours        = 24
	attemptsEach      = 4
	eventsEach        = 3
	webhooksEach      = 10
	labelsEach        = 200
	previewCost       = 60_001
	yearCost          = 20_000
	findCost          = 5_000
	scanCost          = 20_000
	chargesEach       = 3
	statDays          = 366 // what most ask for at most; the year before doubles it
	staysEach         = 4
	possibleEach      = 3
	personLinksEach   = 6
	personHitsEach    = 3
	gatherCost        = 30
)

// Costs returns what each field costs, from the cost of one of its values. A field costs 1, and a
// list as much as the records that it may hold; the argument limit says how many. A list that is
// missing here is charged as one record, so a query could fetch far more than its limit allows.
func Costs() generated.ComplexityRoot {
	var c generated.ComplexityRoot
	c.Query.Roster = func(each int, f *models.RosterFilter, limit, _ *int, _ *string, order *models.Order) int {
		cost := times(pageOf(limit), each)
		if (f != nil && f.Detailed() || order != nil && order.ByColumn()) && cost < math.MaxInt-scanCost {
			cost += scanCost
		}
		return cost
	}
	c.Query.SimilarNames = func(each int, _ string, _ *string) int { return previewCost + each }
	c.SimilarNames.Names = func(each int) int { return times(SimilarNames, each) }
	c.Query.Courts = func(each int, _ *models.CourtFilter, limit, _ *int, _ *string, _ *models.Order) int {
		return times(pageOf(limit), each)
	}
	c.Query.Corrections = func(each int, _ *models.CorrectionsFilter, limit, _ *int, _ *string, _ *models.Order) int {
		return times(pageOf(limit), each)
	}
	c.Query.Changes = func(each int, _ []models.Family, _ *string, first *int) int {
		return times(min(max(valueOr(first, mirror.DefaultFirst), 1), mirror.MaxFirst), each)
	}
	c.Query.CourtCases = func(each int, _ string, _ *string, _ *time.Time) int { return times(casesOfANumber, each) }
	c.Query.People = func(each int, _ string, _ *string, limit *int, _ *string) int {
		return times(min(max(valueOr(limit, models.DefaultPeople), 1), models.MaxPeople), each+gatherCost)
	}
	c.RosterRecord.Person = func(each int) int { return gatherCost + each }
	c.Query.Person = func(each int, _ string) int { return gatherCost + each }
	c.Person.Stays = func(each int) int { return times(staysEach, each) }
	c.Person.Cases = func(each int) int { return times(courtLinksEach, each) }
	c.Person.Links = func(each int) int { return times(personLinksEach, each) }
	c.Person.Possible = func(each int) int { return times(possibleEach, each) }
	c.Person.Hits = func(each int) int { return times(personHitsEach, each) }
	c.Query.Counties = func(each int) int { return times(allCounties, each) }
	c.Query.Sources = func(each int) int { return times(allSources, each) }
	c.CorrectionsRecord.CountyRecords = func(each int) int { return times(countyRecordsEach, each) }
	c.RosterRecord.Courts = func(each int) int { return times(courtLinksEach, each) }
	c.CorrectionsRecord.Courts = func(each int) int { return times(courtLinksEach, each) }
	c.CourtCase.People = func(each int) int { return times(courtLinksEach, each) }
	c.CourtCase.Hearings = func(each int) int { return times(hearingsEach, each) }
	c.CourtCase.Dispositions = func(each int) int { return times(dispositionsEach, each) }
	c.RosterRecord.ChargeDetails = func(each int) int { return times(chargesEach, each) }
	c.CountyStats.Days = func(each int) int { return times(statDays, each) }
	c.RosterRecord.History = func(each int) int { return times(changesEach, each) }
	c.CourtCase.History = func(each int) int { return times(changesEach, each) }
	c.CorrectionsRecord.History = func(each int) int { return times(changesEach, each) }
	c.Source.Coverage = func(each int) int { return times(countiesEach, each) }
	c.Query.CalendarFeeds = func(each int) int { return times(allFeeds, each) }
	c.Usage.LastDay = func(each int) int { return times(usageHours, each) }
	alertCosts(&c)
	return c
}

// alertCosts adds the costs of watchers and webhooks. A preview reads as much as a large page,
// whatever it finds.
func alertCosts(c *generated.ComplexityRoot) {
	c.Query.Alerts = func(each int, limit, _ *int, _, _, name *string) int {
		cost := times(pageOf(limit), each)
		if name != nil && cost < math.MaxInt-findCost {
			cost += findCost
		}
		return cost
	}
	c.Query.PreviewAlert = func(each int, _ string, _ *string, _ *models.MatchLevel, _ *int, _ *models.Date, _, _ *int, _ *models.Date) int {
		return previewCost + each
	}
	c.AlertPreview.Year = func(each int) int { return yearCost + each }
	c.Query.AlertLabels = func(each int) int { return times(labelsEach, each) }
	c.Mutation.ImportAlerts = func(each int, _ string, _, _ *bool) int { return previewCost + each }
	c.AlertImport.Lines = func(each int) int { return times(ImportLines, each) }
	c.AlertPreview.Hits = func(each int) int { return times(PreviewHits, each) }
	c.Alert.History = func(each int, limit *int, _ *string) int { return times(pageOf(limit), each) }
	c.Alert.Hits = func(each int, limit, _ *int, _ *string) int { return times(pageOf(limit), each) }
	c.Query.Hits = func(each int, _ []models.HitState, _, _, _ *string, first *int, _ *string) int {
		return times(pageOf(first), each)
	}
	c.Query.AlertEvents = func(each int, limit *int) int { return times(pageOf(limit), each) }
	c.AlertHit.Events = func(each int) int { return times(eventsEach, each) }
	c.Query.Webhooks = func(each int) int { return times(webhooksEach, each) }
	c.Query.Deliveries = func(each int, _ *models.DeliveryFilter, limit, _ *int, _ *string) int {
		return times(pageOf(limit), each)
	}
	c.Delivery.Attempts = func(each int) int { return times(attemptsEach, each) }
}

// pageOf returns how many records a page may hold. A limit out of range is refused later by the
// resolver, with a better message than one about cost.
func pageOf(limit *int) int {
	return min(max(valueOr(limit, models.DefaultLimit), 1), models.MaxLimit)
}

// valueOr returns what p points to, or or for nil.
func valueOr(p *int, or int) int {
	if p == nil {
		return or
	}
	return *p
}

// times returns the cost of a list, 1 + n*each, or the largest int where that would overflow. A
// negative cost would pass every limit.
func times(n, each int) int {
	if each > (math.MaxInt-1)/n {
		return math.MaxInt
	}
	return 1 + n*each
}
