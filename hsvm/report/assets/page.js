// The page: which chart draws what, and when it is drawn anew.

const kCharts = {
  'curve': drawCurve,
  'grid': drawGrid,
  'paths': drawPaths,
  'gaps': drawGaps,
  'roc': (figure, data) => drawRanking(figure, data, 'roc', ['share of others taken for it', 'share found'], 'auc'),
  'precision-recall': (figure, data) =>
    drawRanking(figure, data, 'precision_recall', ['share found', 'share that is right'], 'average_precision'),
  'calibration': drawCalibration,
  'strip': drawStrip,
  'correlations': drawCorrelations,
  'stability': drawStability,
  'shared': drawShared,
};
const kData = JSON.parse(document.getElementById('data').textContent);

function redraw(figure) {
  kCharts[figure.dataset.chart](figure, kData[figure.closest('section').id]);
}

function redrawAll() {
  document.querySelectorAll('figure.chart').forEach(redraw);
}

// A chart is drawn for the first time when it comes near the screen; whoever prints gets all of them.
function drawWhenSeen() {
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      observer.unobserve(entry.target);
      entry.target.dataset.drawn = 'yes';
      redraw(entry.target);
    }
  }, {rootMargin: '600px'});
  document.querySelectorAll('figure.chart').forEach((figure) => observer.observe(figure));
}
function redrawSeen() {
  document.querySelectorAll('figure.chart[data-drawn]').forEach(redraw);
}

function drawMaps() {
  document.querySelectorAll('[data-chart=grid][data-drawn], [data-chart=correlations][data-drawn]').forEach(redraw);
}

// The table of the whole grid has thousands of numbers, all of which the page has already: it is made when it is opened.
function fillGrid(details, data) {
  if (details.querySelector('table')) return;
  const heads = ['lambda2', 'delta', 'lambda1', 'features', data.score, 'standard error'];
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const name of heads) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.className = 'n';
    cell.textContent = name;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const path of data.paths)
    path.lambda1.forEach((lambda1, k) => {
      const row = body.insertRow();
      for (const value of [path.lambda2, path.delta, lambda1, path.nonzeros[k], path.mean[k], path.error[k]]) {
        const cell = row.insertCell();
        cell.className = 'n';
        if (value === null) continue;
        const exact = document.createElement('data');
        exact.value = String(value);
        exact.textContent = number(value);
        cell.append(exact);
      }
    });
  table.id = 'table-whole-grid';
  table.dataset.name = 'grid';
  const place = document.createElement('div');
  place.className = 'controls';
  place.dataset.table = 'whole-grid';
  const box = document.createElement('div');
  box.className = 'scroll long';
  box.tabIndex = 0;
  box.append(table);
  details.append(place, box);
  makeSortable(table);
  addTableControls(place);
}

function setUpFolds() {
  for (const details of document.querySelectorAll('details[data-rows]')) {
    details.addEventListener('toggle', () => fillGrid(details, kData[details.closest('section').id]));
  }
}

function start() {
  setUpTables();
  setUpFolds();
  if (typeof Chart === 'undefined') {  // built without it: the tables say the same
    document.querySelectorAll('figure.chart').forEach((figure) => figure.remove());
    document.querySelectorAll('details').forEach((details) => { details.open = true; });
    return;
  }
  Chart.defaults.font.family = 'system-ui, "Liberation Sans", "DejaVu Sans", sans-serif';
  Chart.defaults.font.size = 12;
  drawWhenSeen();
  kDark.addEventListener('change', redrawSeen);
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    drawMaps();
  });
  window.addEventListener('beforeprint', () => { printing = true; redrawAll(); });
  window.addEventListener('afterprint', () => { printing = false; redrawAll(); });
}

start();
