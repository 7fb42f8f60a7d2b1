(function () {
  'use strict';
  var root = document.documentElement;
  var saved = null;
  try { saved = localStorage.getItem('gallery-theme'); } catch (error) { saved = null; }
  // To the right of it stands what came before where writing runs from there.
  var isMirrored = root.dir === 'rtl';
  // Before the first paint; the switch below takes over from it.
  if (saved) { root.dataset.theme = saved; }

  function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }

  // Each time a page's body is there.
  function begin() {
    all('input[name=theme]').forEach(function (choice) {
      if (choice.value === saved) { choice.checked = true; }
      choice.addEventListener('change', function () {
        saved = choice.value;
        try { localStorage.setItem('gallery-theme', saved); } catch (error) { return; }
      });
    });
    delete root.dataset.theme;
  }

  // The pictures that may be wanted next.
  function fetchAhead() {
    if (navigator.connection && navigator.connection.saveData) { return; }
    all('.turn a[data-src]').forEach(function (link) {
      var image = new Image();
      image.sizes = link.dataset.sizes || '';
      image.srcset = link.dataset.srcset || '';
      image.src = link.dataset.src;
    });
  }

  function go(rel) {
    var link = document.querySelector('a[rel=' + rel + ']');
    if (!link) { return false; }
    if (document.fullscreenElement && location.protocol !== 'file:') { replace(link); } else { link.click(); }
    return true;
  }

  // Another page would end the full screen: its body comes into this one.
  function replace(link) {
    fetch(link.href).then(function (reply) { return reply.text(); }).then(function (text) {
      var page = new DOMParser().parseFromString(text, 'text/html');
      history.replaceState(null, '', link.href);
      document.title = page.title;
      document.body.replaceWith(page.body);
      begin();
      fetchAhead();
    }).catch(function () { link.click(); });
  }

  function step(distance) {
    var links = all('main > ul a');
    var link = links[links.indexOf(document.activeElement) + distance];
    if (link) { link.focus(); }
    return Boolean(link);
  }

  function toggleKeys(isToOpen) {
    var keys = document.querySelector('.keys');
    if (!keys || keys.open === isToOpen) { return false; }
    keys.open = !keys.open;
    keys.firstElementChild.focus();
    return true;
  }

  function toggleFullScreen() {
    if (!root.requestFullscreen) { return false; }
    var change = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
    change.catch(function () { return; });
    return true;
  }

  document.addEventListener('DOMContentLoaded', begin);
  window.addEventListener('load', fetchAhead);

  document.addEventListener('keydown', function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === 'INPUT') { return; }
    var isPhoto = document.body.className === 'photo';
    var isDone = false;
    // On many keyboards it is shifted.
    if (event.key === '?') { isDone = toggleKeys(); }
    if (!event.shiftKey) {
      if (event.key === (isMirrored ? 'ArrowRight' : 'ArrowLeft')) { isDone = isPhoto ? go('prev') : step(-1); }
      if (event.key === (isMirrored ? 'ArrowLeft' : 'ArrowRight')) { isDone = isPhoto ? go('next') : step(1); }
      if (event.key === 'Escape') { isDone = toggleKeys(false) || (isPhoto && go('up')); }
      if (event.key === 'f') { isDone = toggleFullScreen(); }
    }
    if (isDone) { event.preventDefault(); }
  });

  var start = null;
  document.addEventListener('touchstart', function (event) {
    var zoomed = window.visualViewport && window.visualViewport.scale > 1.05;
    start = event.touches.length === 1 && !zoomed ? event.touches[0] : null;
  }, { passive: true });
  document.addEventListener('touchend', function (event) {
    if (!start || document.body.className !== 'photo') { return; }
    var across = event.changedTouches[0].clientX - start.clientX;
    var down = event.changedTouches[0].clientY - start.clientY;
    start = null;
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) { go(across > 0 !== isMirrored ? 'prev' : 'next'); }
  }, { passive: true });
})();
