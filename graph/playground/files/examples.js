// The tabs of a first visit. Names are invented.
window.examples = [
  `# Signed in? Run this as it is.
# Otherwise, in Headers below, set
# "Authorization" to "Bearer rc_live_…".
# The key stays in this page only.

# Bookings, newest first.
query Newest {
  roster(limit: 10) {
    total
    records {
      id
      name
      county { name }
      bookingDate
      status
      charges
      bondAmount
    }
    pageInfo { endCursor hasNextPage }
  }
}
`,
  `# A name, in any word order, with the same
# person's state record and other bookings.
query Linked {
  roster(filter: { name: "smith" }, limit: 20) {
    total
    records {
      id
      name
      gdcMatch {
        confidence
        reasons
        record {
          gdcId
          status
          institution
          countyRecords { rosterId county { name } bookingDate status }
        }
      }
    }
  }
}
`,
  `# Court cases of a county, with hearings
# and dispositions.
query Cases {
  courts(filter: { county: "bartow", status: PENDING }, limit: 10) {
    total
    records {
      caseNumber
      defendant
      offense
      courtType
      nextHearing
      hearings { date time judge location }
      dispositions { date outcome sentence }
    }
  }
}
`,
  `# Records of the state corrections
# department.
query Offenders {
  corrections(filter: { status: INCARCERATED }, limit: 10) {
    total
    records { gdcId name category institution sentence releaseDate releaseDateProjected }
  }
}
`,
  `# A case, who its defendant may be, and
# every change of it.
query Picture {
  courts(filter: { status: PENDING }, limit: 3) {
    records {
      caseNumber
      defendant
      people {
        confidence
        reasons
        rosterRecord { id name status charges }
        correctionsRecord { gdcId name status }
      }
      history { at field before after source { title } }
    }
  }
}
`,
  `# What an alert would have found in the
# last 30 days. Nothing is stored or sent.
query Preview {
  previewAlert(name: "michael johnson", level: NORMAL) {
    expectedPer30Days
    hits { probability reasons record { id name county { name } bookingDate } }
  }
}
`,
  `# A county's jail, day by day.
query County {
  countyStats(county: "bartow", days: 14) {
    population
    medianBond
    medianHeldHours
    days { date bookings releases population }
  }
}
`,
  `# How fresh the data is, and how many
# requests you have left.
query Freshness {
  sources { id county { name } kind state lastSuccess lagSeconds note }
  usage { limit remaining resetSeconds }
}
`,
  `# Follows your alerts. The result shows
# the newest event. Stop ends it.
# To begin in the past, add the id of an
# event: (after: "evt_...").
subscription Follow {
  alertEvents {
    id
    event
    timestamp
    alert { name }
    record { id name county { name } }
  }
}
`,
];
