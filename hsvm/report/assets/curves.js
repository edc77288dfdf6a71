// Coefficient paths, gaps, ROC and precision-recall curves, calibration, scores.

// The effects of one line at all points: straight between its breaks.
function expand(points, effects, n) {
  const result = new Array(n).fill(0);
  for (let b = 0; b < points.length; ++b) {
    result[points[b]] = effects[b];
    if (b + 1 === points.length) break;
    for (let p = points[b] + 1; p < points[b + 1]; ++p) {
      const share = (p - points[b]) / (points[b + 1] - points[b]);
      result[p] = effects[b] + share * (effects[b + 1] - effects[b]);
    }
  }
  return result;
}

function fillSelect(select, names, onChange) {
  if (!select || select.options.length) return;
  names.forEach((name, k) => select.add(new Option(name, k)));
  select.addEventListener('change', onChange);
}

function setUpPathControls(figure, data) {
  const again = () => drawPaths(figure, data);
  fillSelect(figure.querySelector('[data-control=class]'), data.classes, again);
  const list = document.getElementById('path-names');
  if (list.children.length) return;
  list.append(...data.names.map((name) => new Option(name, name)));
  figure.querySelector('[data-control=find]').addEventListener('input', again);
  figure.querySelector('[data-control=axis]').addEventListener('change', again);
}

function drawPaths(figure, data) {
  setUpPathControls(figure, data);
  const choice = (name) => figure.querySelector('[data-control=' + name + ']');
  const output = choice('class') ? Number(choice('class').value) : 0;
  const wanted = choice('find').value.trim().toLowerCase();
  const positive = data.lambda1.every((value) => value > 0);
  const bottom = lambdaAxis(positive ? choice('axis').value : 'linear', data.lambda1);
  const colors = palette();
  const datasets = data.lines.filter((line) => line[1] === output).map((line) => {
    const name = data.names[line[0]];
    const found = wanted !== '' && name.toLowerCase().includes(wanted);
    const effects = expand(line[2], line[3], data.lambda1.length);
    const shade = colors[line[0] % colors.length];
    return {label: name, data: effects.map((y, p) => ({x: data.lambda1[p], y})), pointRadius: 0, pointHitRadius: 4,
            borderColor: wanted === '' || found ? shade : grid(), borderWidth: found ? 3 : 1.3, order: found ? 0 : 1,
            backgroundColor: shade, borderDash: kDashes[Math.floor(line[0] / colors.length) % kDashes.length]};
  });
  const marks = chosenMarks(data.best, data.one_se, false);
  draw(figure.querySelector('canvas'), {
    type: 'line', data: {datasets},
    options: {
      parsing: false, normalized: true, interaction: {mode: 'nearest', intersect: false},
      scales: {x: bottom, top: featuresAxis(bottom, data.lambda1, data.nonzeros),
               y: axis(data.scaled ? 'standardised effect' : 'coefficient')},
      plugins: {legend: {display: false}, tooltip: {displayColors: false, callbacks: {
        title: (items) => items.slice(0, 1).map((item) => item.dataset.label),
        label: (item) => (item.datasetIndex === item.chart.tooltip.dataPoints[0].datasetIndex
          ? number(item.raw.y) + ' at lambda1 = ' + number(item.raw.x) : item.dataset.label)}}},
    },
    plugins: [markLines(marks)],
  });
}

function drawGaps(figure, data) {
  const least = 1e-17;  // what rounding leaves of a gap; a logarithmic axis has no zero
  const log = data.lambda1.every((value) => value > 0);
  const bottom = lambdaAxis(log ? 'logarithmic' : 'linear', data.lambda1);
  const gaps = data.relative_gap.map((gap, k) => ({x: data.lambda1[k], y: Math.max(gap, least)}));
  const datasets = [{label: 'relative gap', data: gaps, showLine: false, pointRadius: 2.5, backgroundColor: palette()[0]}];
  if (data.tolerance > 0)
    datasets.push({label: 'tolerance', data: [{x: bottom.max, y: data.tolerance}, {x: bottom.min, y: data.tolerance}],
                   pointRadius: 0, borderColor: palette()[1], borderDash: [6, 4], borderWidth: 1.5});
  const side = axis('relative gap', {type: 'logarithmic'});
  side.afterBuildTicks = (scale) => {
    const from = Math.ceil(Math.log10(scale.min));
    const to = Math.floor(Math.log10(scale.max));
    const step = Math.max(1, Math.ceil((to - from) / 6));
    scale.ticks = [];
    for (let power = from; power <= to; power += step) scale.ticks.push({value: 10 ** power});
  };
  side.ticks.callback = (value) => '1e' + Math.round(Math.log10(value));
  draw(figure.querySelector('canvas'), {
    type: 'line', data: {datasets},
    options: {scales: {x: bottom, y: side}, interaction: {mode: 'nearest', intersect: false},
              plugins: {legend: {labels: {color: ink(), usePointStyle: true}}, tooltip: {displayColors: false, callbacks: {
                title: (items) => 'lambda1 = ' + number(items[0].raw.x),
                label: (item) => item.dataset.label + ' ' + number(item.raw.y)}}}},
  });
}

// One curve for each class; of many classes the chosen one stands out.
function drawRanking(figure, data, key, titles, label) {
  const section = figure.closest('section');
  const select = section.querySelector('[data-control=class]');
  const names = data.curves.map((curve) => curve.name);
  fillSelect(select, names.length > 1 ? ['all', ...names] : [], () => {
    for (const other of section.querySelectorAll('[data-chart=roc], [data-chart=precision-recall]')) redraw(other);
  });
  const chosen = select && select.value !== '' ? Number(select.value) - 1 : -1;
  const colors = palette();
  const many = data.curves.length > colors.length;
  const datasets = data.curves.map((curve, k) => ({
    label: shorten(curve.name, 24) + ' (' + curve[label].toFixed(3) + ')',
    data: curve[key].map((point) => ({x: point[0], y: point[1]})), pointRadius: 0, pointHitRadius: 5, clip: 4,
    stepped: key === 'precision_recall' ? false : 'after',
    borderColor: chosen === k || (chosen < 0 && !many) ? colors[k % colors.length] : chosen < 0 ? softInk() : grid(),
    borderWidth: chosen === k ? 3 : many && chosen < 0 ? 0.8 : 1.8, borderDash: kDashes[k % kDashes.length],
    order: chosen === k ? 0 : 1,
  }));
  draw(figure.querySelector('canvas'), {
    type: 'line', data: {datasets},
    options: {
      parsing: false, interaction: {mode: 'nearest', intersect: false},
      scales: {x: axis(titles[0], {type: 'linear', min: 0, max: 1}), y: axis(titles[1], {min: 0, max: 1.0})},
      plugins: {legend: {display: !many, position: 'bottom', labels: {color: ink(), boxWidth: 28, boxHeight: 0}},
                tooltip: {displayColors: false, callbacks: {title: (items) => items.slice(0, 1).map((item) => item.dataset.label),
                  label: (item) => titles[0] + ' ' + number(item.raw.x) + ', ' + titles[1] + ' ' + number(item.raw.y)}}},
    },
  });
}

function countLabels(bins) {
  return {id: 'counts', afterDatasetsDraw(chart) {
    const {ctx, scales, chartArea} = chart;
    ctx.save();
    ctx.fillStyle = ink();
    ctx.font = '12px system-ui, sans-serif';
    bins.forEach((bin) => {
      const x = scales.x.getPixelForValue(bin[0]);
      const y = scales.y.getPixelForValue(bin[1]);
      const width = ctx.measureText(String(bin[2])).width;
      ctx.fillText(String(bin[2]), x + 8 + width > chartArea.right ? x - 9 - width : x + 8,
                   Math.min(Math.max(y + (bin[1] > 0.9 ? 14 : -7), chartArea.top + 12), chartArea.bottom - 4));
    });
    ctx.restore();
  }};
}

function drawCalibration(figure, data) {
  const most = Math.max(...data.calibration.map((bin) => bin[2]));
  draw(figure.querySelector('canvas'), {
    type: 'line',
    data: {datasets: [
      {label: 'samples', clip: false, data: data.calibration.map((bin) => ({x: bin[0], y: bin[1], n: bin[2]})), borderColor: palette()[0],
       backgroundColor: palette()[0], borderWidth: 1.5, pointRadius: data.calibration.map((bin) => 3 + 6 * Math.sqrt(bin[2] / most))},
      {label: 'as said', data: [{x: 0, y: 0}, {x: 1, y: 1}], pointRadius: 0, borderDash: [6, 4], borderColor: softInk(), borderWidth: 1}]},
    options: {scales: {x: axis('probability', {type: 'linear', min: 0, max: 1}), y: axis('share that came true', {min: 0, max: 1})},
              layout: {padding: {top: 10, right: 10}},
              plugins: {legend: {display: false}, tooltip: {displayColors: false, filter: (item) => item.datasetIndex === 0, callbacks: {
                title: () => '', label: (item) => 'said ' + number(item.raw.x) + ', came true ' + number(item.raw.y) + ' (' + item.raw.n + ' samples)'}}}},
    plugins: [countLabels(data.calibration)],
  });
}

// Samples side by side within the strip of their class, so that they do not hide each other: a fixed pattern, not chance.
function spread(k) { return 0.3 * (((k * 0.6180339887) % 1) * 2 - 1); }

function drawStrip(figure, data) {
  const colors = palette();
  const kinds = [{label: 'right', wrong: false}, {label: 'taken for another', wrong: true}];
  const datasets = kinds.map((kind, c) => ({
    label: kind.label,
    data: data.strip.filter((dot) => (dot[0] !== dot[2]) === kind.wrong)
      .map((dot, k) => ({x: dot[1], y: dot[0] + spread(k + 1), name: dot[3], truth: dot[0], taken: dot[2]})),
    pointStyle: kind.wrong ? 'crossRot' : 'circle', pointRadius: kind.wrong ? 6 : 3.5, pointHoverRadius: 8,
    borderColor: colors[c], backgroundColor: colors[c] + '99', borderWidth: kind.wrong ? 2.2 : 1, order: kind.wrong ? 0 : 1,
  }));
  const many = data.classes.length;
  figure.querySelector('.canvas').style.height = Math.min(60, Math.max(15, 6 + 3 * many)) + 'rem';
  const narrow = figure.clientWidth < 500;
  const side = axis('class', {type: 'linear', min: -0.6, max: many - 0.4});
  side.title.display = false;
  side.afterBuildTicks = (scale) => { scale.ticks = data.classes.map((name, k) => ({value: k})); };
  side.ticks.callback = (value) => shorten(data.classes[value], narrow ? 9 : 18);
  side.ticks.autoSkip = many > 40;
  draw(figure.querySelector('canvas'), {
    type: 'scatter', data: {datasets},
    options: {scales: {x: axis(data.n_outputs === 1 ? 'score' : 'margin'), y: side},
              plugins: {legend: {position: 'bottom', labels: {color: ink(), usePointStyle: true, boxWidth: 7, boxHeight: 7}}, tooltip: {callbacks: {
                label: (item) => 'sample ' + item.raw.name + ': ' + data.classes[item.raw.truth] +
                  (item.raw.truth === item.raw.taken ? '' : ', taken for ' + data.classes[item.raw.taken]) + ' (' + number(item.raw.x) + ')'}}}},
    plugins: [{id: 'zero', beforeDatasetsDraw(chart) {
      const {ctx, chartArea, scales} = chart;
      const x = scales.x.getPixelForValue(0);
      if (x < chartArea.left || x > chartArea.right) return;
      ctx.save(); ctx.strokeStyle = softInk(); ctx.setLineDash([4, 4]); ctx.beginPath();
      ctx.moveTo(x, chartArea.top); ctx.lineTo(x, chartArea.bottom); ctx.stroke(); ctx.restore();
    }}],
  });
}
